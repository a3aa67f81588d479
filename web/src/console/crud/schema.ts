// The server's schema of a resource: paths, fields, filters, sorts, permissions. Each is a module, `virtual:resource/<kind>`, generated
// from web/resources.json, which a server test keeps up to date.
import kinds from 'virtual:resource-kinds'
import type { ListPath } from './api'

export type FieldType =
  | 'text'
  | 'longtext'
  | 'html'
  | 'integer'
  | 'amount'
  | 'percent'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'enum'
  | 'image'
  | 'images'
  | 'file'
  | 'reference'
  | 'references'
  | 'list'
  | 'tags'
  | 'numbers'
  | 'color'
  | 'url'
  | 'json'
  | 'point'

export type Option = { value: string; label: string }

export type Field = {
  /** Its path in the document, e.g. `display.startedAt`; inside a list, in its item. */
  name: string
  label: string
  type: FieldType
  required?: boolean
  readOnly?: boolean
  /** Scopes with read-only access. */
  readOnlyFor?: readonly string[]
  /** Hundredths for amounts. */
  max?: number | null
  min?: number | null
  maxLength?: number | null
  /** The options of an enum; the usual values of a text. */
  values?: readonly Option[] | null
  /** The kind a reference points to. */
  resource?: string | null
  /** The fields of a list's item. */
  of?: readonly Field[] | null
  /** The field that defines whether a number is money (`AMOUNT`) or a percentage. */
  unit?: string | null
}

export type Filter = {
  name: string
  /** Default: the label of the field of that name. */
  label?: string | null
  type: 'enum' | 'boolean' | 'period' | 'range' | 'reference'
  values?: readonly Option[] | null
  resource?: string | null
}

export type Action = 'create' | 'update' | 'delete' | 'restore' | 'export' | 'import' | 'bulk'

/** Facts about every kind, available without loading its schema. */
export type ResourceKind = {
  name: string
  path: ListPath
  /** Singular and plural name on the wire. */
  one: string
  many: string
  /** Display name. */
  title: string
  /** Its rows have `children`. */
  tree?: boolean
}

/** What menus know of a kind besides. */
export type KnownKind = ResourceKind & {
  scopes: readonly string[]
  /** Records of it can be created in the console. */
  canCreate: boolean
}

export type ResourceSchema = ResourceKind & {
  scopes: readonly string[]
  /** Read only. */
  ledger: boolean
  /** All its rows belong to one seller: the current user. */
  own?: boolean
  search: readonly string[]
  sorts: readonly string[]
  defaultSort: string
  filters: readonly Filter[]
  fields: readonly Field[]
  actions: readonly Action[]
  /** Actions refused to sellers, who can otherwise access the kind. */
  staffOnly?: readonly Action[]
}

/** Whether removed records can be restored. */
export const supportsRestore = ({ actions }: ResourceSchema): boolean =>
  actions.includes('restore') && actions.includes('delete')

export const kindOf = (name: string): KnownKind | undefined => kinds.find((kind) => kind.name === name)

/** The kind a reference field points to. */
export function referredKind(name: string): ResourceKind {
  const kind = kindOf(name)
  if (!kind) throw new Error(`no such kind of record: ${name}`)
  return kind
}

/**
 * The schema reduced to these scopes: fields that none of them may change are read-only and not required; forbidden actions and
 * filters without available options are left out; users who may not list members see member ids.
 */
export function schemaForScopes(kind: ResourceSchema, scopes: readonly string[]): ResourceSchema {
  const own = scopes.filter((scope) => kind.scopes.includes(scope))
  const onlyLooks = ({ readOnlyFor = [] }: Field): boolean =>
    own.length > 0 && own.every((scope) => readOnlyFor.includes(scope))
  const isStaff = scopes.includes('console')
  const fields = kind.fields
    .map((field) => (onlyLooks(field) ? { ...field, readOnly: true, required: false } : field))
    .map((field) =>
      field.resource === 'member' && !isStaff ? { ...field, type: 'tags' as const, resource: undefined } : field,
    )
  // A seller's list contains only their own rows.
  const filters = kind.filters.filter((filter) => filter.resource !== 'seller' || isStaff)
  const actions = kind.actions.filter((action) => isStaff || !kind.staffOnly?.includes(action))
  return { ...kind, fields, filters, actions, own: !isStaff }
}

/** Timestamps every record has besides its own fields. */
const STAMPS: readonly Field[] = [
  { name: 'createdAt', label: '등록', type: 'datetime', readOnly: true },
  { name: 'updatedAt', label: '수정', type: 'datetime', readOnly: true },
]

/** A field by its name, including the timestamps. */
export const fieldOf = ({ fields }: ResourceSchema, name: string): Field | undefined =>
  [...fields, ...STAMPS].find((field) => field.name === name)

/** The options of a field. */
export const valuesOf = (schema: ResourceSchema, name: string): readonly Option[] => fieldOf(schema, name)?.values ?? []

/** The label of an option; the value itself where it has none. */
export const optionLabel = (values: readonly Option[], value: string): string =>
  values.find((one) => one.value === value)?.label ?? value

/** Kinds that are referenced by their code. */
const BY_CODE = ['category', 'level', 'brand']
export const keyField = (kind: string): '_id' | 'code' => (BY_CODE.includes(kind) ? 'code' : '_id')

export const filterLabel = (kind: ResourceSchema, filter: Filter): string =>
  filter.label ?? fieldOf(kind, filter.name)?.label ?? filter.name
