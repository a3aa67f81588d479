// Definitions contain only presentation, and only of fields the server has.
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../testing/schemas'
import { recordHref } from '../history/links'
import { pageOf, type ResourceDef } from './resourceDefinition'
import { fieldOf } from './schema'

const modules = import.meta.glob<Record<string, unknown>>('../*/resource.ts', { eager: true })

const isDef = (value: unknown): value is ResourceDef =>
  typeof value === 'object' && value !== null && 'schema' in value && 'sections' in value
const defs = Object.values(modules).flatMap((module) => [
  ...Object.values(module).filter(isDef),
  // Those bound to a position.
  ...Object.entries(module)
    .filter(([name]) => name.endsWith('sAt'))
    .map(([, make]) => (make as (code: string) => ResourceDef)('MAIN_1')),
])

const topOf = (name: string): string => name.split('.')[0] ?? name
/** A field that nothing reads yet: every sum uses the same prices. */
const OFFERED_NOWHERE = ['usage.target.priceBasis']

/** Errors of a definition. */
export function faultsOfDef(def: ResourceDef): string[] {
  const kind = def.schema
  const top = new Set(kind.fields.map((field) => field.name.split('.')[0]))
  const columns = def.columns
    .filter((name) => !fieldOf(kind, name) && !def.cells?.[name])
    .map((name) => `column ${name}`)
  const cells = Object.entries(def.cells ?? {})
    .filter(([name, { header }]) => !fieldOf(kind, name) && !header)
    .map(([name]) => `cell ${name} without a header`)
  const shown = def.sections.flatMap((section) => section.fields)
  const fields = shown.filter((one) => typeof one === 'string').filter((name) => !fieldOf(kind, name))
  const edited = shown.flatMap((one) => (typeof one === 'string' ? [] : one.paths)).filter((name) => !top.has(name))
  const starts = Object.keys(def.defaultValues ?? {}).filter((name) => !top.has(name))
  const within = Object.entries(def.dependsOn ?? {})
    .filter(([name, owner]) => {
      const resource = fieldOf(kind, name)?.resource
      return !(fieldOf(kind, owner) && resource && schemaOf(resource).filters.some((one) => one.name === owner))
    })
    .map(([name, owner]) => `${name} within ${owner}`)
  const rows = Object.entries(def.dependentOptions ?? {})
    .filter(([path, row]) => {
      const [list = '', name = ''] = path.split('.')
      const items = fieldOf(kind, list)?.of ?? []
      const names = items.some((field) => field.name === row.of && field.resource === row.kind)
      return !(names && items.some((field) => field.name === name) && fieldOf(schemaOf(row.kind), row.list))
    })
    .map(([path]) => `row ${path}`)
  const offers = Object.entries(def.offers ?? {})
    .filter(([path, { like, only }]) => {
      const [list = '', name = ''] = path.split('.')
      const fields = name === '' ? kind.fields : (fieldOf(kind, list)?.of ?? [])
      const resource = fields.find((field) => field.name === (name || list))?.resource
      const known = resource ? schemaOf(resource).filters.map((one) => one.name) : []
      return !resource || [...like, ...Object.keys(only)].some((one) => !known.includes(one))
    })
    .map(([path]) => `offers ${path}`)
  const missing = kind.actions.includes('create')
    ? kind.fields
        .filter((field) => field.required && !field.readOnly)
        .filter(
          (field) =>
            !shown.some((one) =>
              typeof one === 'string' ? one === field.name : one.paths.includes(topOf(field.name)),
            ) && !(topOf(field.name) in (def.defaultValues ?? {})),
        )
        .map((field) => `required ${field.name} is not asked for`)
    : []
  const hidden = kind.fields
    .filter((field) => !field.readOnly && kind.actions.includes('update') && !OFFERED_NOWHERE.includes(field.name))
    .filter(
      ({ name }) => !shown.some((one) => (typeof one === 'string' ? one === name : one.paths.includes(topOf(name)))),
    )
    .map((field) => `${field.name} can be set nowhere`)
  return [
    ...columns,
    ...cells,
    ...fields.map((name) => `field ${name}`),
    ...edited.map((name) => `edits ${name}`),
    ...starts.map((name) => `starts ${name}`),
    ...within,
    ...rows,
    ...offers,
    ...missing,
    ...hidden,
  ]
}

describe('definitions', () => {
  it('are found', () => expect(defs.length).toBeGreaterThan(10))
  it.each(defs.map((def) => [def.schema.name, def] as const))('%s uses only fields the server has', (_, def) => {
    expect(faultsOfDef(def)).toEqual([])
  })
  it('with unknown fields are detected', () => {
    const [def] = defs
    if (!def) throw new Error('no definition')
    expect(faultsOfDef({ ...def, columns: ['nothing'] })).toContain('column nothing')
    expect(faultsOfDef({ ...def, sections: [{ title: 'x', fields: ['nothing'] }] })).toContain('field nothing')
    expect(faultsOfDef({ ...def, dependsOn: { nothing: '_seller' } })).toContain('nothing within _seller')
    expect(faultsOfDef({ ...def, offers: { nothing: { like: [], only: {} } } })).toContain('offers nothing')
    const row = { of: '_product', kind: 'product', list: 'options', called: 'value' }
    expect(faultsOfDef({ ...def, dependentOptions: { 'nothing._option': row } })).toContain('row nothing._option')
  })
  it('with missing fields are detected', () => {
    const def = defs.find(({ schema }) => schema.name === 'brand')
    if (!def) throw new Error('no definition')
    const bare = faultsOfDef({ ...def, sections: [{ title: 'x', fields: ['code'] }] })
    expect(bare).toContain('required name is not asked for')
    expect(bare).toContain('desc can be set nowhere')
  })
})

it('ledgers link back to the page where each kind is edited', () => {
  for (const def of defs.filter(({ page }) => !page.includes('/MAIN_1') || /\/(display|review)\//.test(page))) {
    const page = def.schema.name === 'site-setting' ? def.page : pageOf(def, 'x')
    expect(recordHref(def.schema.name, 'x', 'MAIN_1'), def.schema.name).toEqual({ page, list: def.page })
  }
})
