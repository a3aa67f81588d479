// The server's resource schemas (resources.json) as a module per kind, so that a page of the console loads only its own kind.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const FILE = join(import.meta.dirname, '../resources.json')
/** One kind with its fields: `virtual:resource/brand`. */
const ONE = 'virtual:resource/'
/** What menus and references need to know of every kind. */
const KINDS = 'virtual:resource-kinds'
/** Loads any kind by name. */
const LOADERS = 'virtual:resource-loaders'

type Schema = {
  name: string
  title: string
  path: string
  one: string
  many: string
  tree?: boolean
  scopes: string[]
  actions: string[]
}

const moduleOf = (value: unknown): string => `export default ${JSON.stringify(value)}`

function sourceOf(id: string): string {
  const { resources } = JSON.parse(readFileSync(FILE, 'utf8')) as { resources: Schema[] }
  if (id === KINDS)
    return moduleOf(
      resources.map(({ name, title, path, one, many, tree, scopes, actions }) => ({
        name,
        title,
        path,
        one,
        many,
        tree,
        scopes,
        canCreate: actions.includes('create'),
      })),
    )
  if (id === LOADERS)
    return `export default {${resources.map(({ name }) => `'${name}': () => import('${ONE}${name}')`).join(',')}}`
  const schema = resources.find(({ name }) => id === ONE + name)
  if (!schema) throw new Error(`no such kind of record: ${id}`)
  return moduleOf(schema)
}

export const resourceSchemas = (): Plugin => ({
  name: 'resource-schemas',
  resolveId: (id) => (id.startsWith(ONE) || id === KINDS || id === LOADERS ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith('\0virtual:resource')) return undefined
    this.addWatchFile(FILE)
    return sourceOf(id.slice(1))
  },
})
