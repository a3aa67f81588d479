// @vitest-environment node
// Imports go one way: i18n <- lib <- api, ui <- features <- the areas <- app. Areas do not import one another, features have no cycles, and
// there are no barrel files.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const AREAS = ['shop', 'account', 'mypage', 'console']
const LOW = ['i18n', 'lib', 'api', 'ui']

/** The layers that each layer may import besides itself. */
const MAY_USE: Record<string, readonly string[]> = {
  i18n: [],
  lib: ['i18n'],
  api: ['i18n', 'lib'],
  ui: ['i18n', 'lib'],
  features: LOW,
  ...Object.fromEntries(AREAS.map((area) => [area, [...LOW, 'features']])),
  // The server's resource schemas are beside src.
  console: [...LOW, 'features', '..'],
  app: [...LOW, 'features', ...AREAS],
  'main.tsx': ['app', 'features', 'api', 'ui'],
}

type Import = { file: string; from: string; to: string; target: string }

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('testing'),
)

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
  return [...found].map(([, path = '']) => {
    const target = normalize(join(dirname(file), path))
    return { file, from: file.split('/')[0] ?? '', to: target.split('/')[0] ?? '', target }
  })
}

/** Imports that violate the layering. */
export function strays(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => from !== to && !MAY_USE[from]?.includes(to))
    .map(({ file, target }) => `${file} imports ${target}`)
}

/** Features that import one another, directly or indirectly. */
export function circles(imports: readonly Import[]): string[] {
  const edges = new Map<string, Set<string>>()
  for (const { from, to, file, target } of imports) {
    const [source = '', used = ''] = [file.split('/')[1], target.split('/')[1]]
    if (from === 'features' && to === 'features' && source !== used)
      edges.set(source, (edges.get(source) ?? new Set()).add(used))
  }
  const reachable = (start: string): Set<string> => {
    const found = new Set<string>()
    const visit = (feature: string) => {
      for (const next of edges.get(feature) ?? []) {
        if (found.has(next)) continue
        found.add(next)
        visit(next)
      }
    }
    visit(start)
    return found
  }
  return [...edges.keys()].filter((feature) => reachable(feature).has(feature))
}

const all = sources.flatMap((file) => importsOf(file, readFileSync(join(SRC, file), 'utf8')))

describe('imports', () => {
  it('are found', () => {
    expect(all.length).toBeGreaterThan(100)
  })

  it('go one way', () => {
    expect(strays(all)).toEqual([])
  })

  it('have no cycles between features', () => {
    expect(circles(all)).toEqual([])
    const there = importsOf('features/a/x.ts', "import { y } from '../b/y'")
    const back = importsOf('features/b/y.ts', "import { x } from '../a/x'")
    expect(circles([...there, ...back])).toEqual(['a', 'b'])
  })

  it('in the wrong direction are detected', () => {
    const bad = importsOf(
      'shop/cart/index.tsx',
      "import { x } from '../../mypage/orders'\nconst y = () => import('../../app/routes')",
    )
    expect(strays(bad)).toHaveLength(2)
    expect(strays(importsOf('ui/Button.tsx', "import { api } from '../api/client'"))).toHaveLength(1)
  })

  it('never use a barrel file', () => {
    const barrels = sources.filter((file) => {
      const lines = readFileSync(join(SRC, file), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.startsWith('//'))
      return lines.length > 1 && lines.every((line) => line.startsWith('export ') && line.includes(' from '))
    })
    expect(barrels.map((file) => relative('.', file))).toEqual([])
  })

  it('of useReactTable occur only in the shared table', () => {
    const users = sources.filter((file) => /useReactTable[<(]/.test(readFileSync(join(SRC, file), 'utf8')))
    expect(users).toEqual(['ui/DataTable.tsx'])
  })
})

/** Files whose text matches, besides the given ones. */
const others = (pattern: RegExp, ...known: string[]) =>
  sources.filter((file) => !known.includes(file) && pattern.test(readFileSync(join(SRC, file), 'utf8')))

describe('shared mechanisms', () => {
  it('optional() is the only boundary around code loaded on demand (ui/Optional.tsx)', () => {
    expect(others(/\blazy\(|<Suspense\b/, 'ui/Optional.tsx')).toEqual([])
    expect(others(/\blazy\(/)).toEqual(['ui/Optional.tsx'])
  })
  it('the OpenAPI document types every response: no call names its own type', () => {
    expect(others(/\b(call|useApiQuery|apiQueryOptions)</)).toEqual([])
    // Only `useApiQuery` and tests use the untyped call.
    expect(others(/import \{[^}]*\brequest\b[^}]*\} from '[^']*api\/client'/)).toEqual([])
  })
  it('every layer over the page adds a history entry (ui/layers.ts)', () => {
    const layers = others(/\b(Radix|AlertDialog|Popover|DropdownMenu)\.Overlay|\b(Popover|DropdownMenu)\.Content/)
    expect(layers.length).toBeGreaterThan(3)
    expect(layers.filter((file) => !others(/\buseDismissableLayer\(/).includes(file))).toEqual([])
  })
})
