// Types of a resource definition: columns of the list, sections of the form, custom cells and editors. Everything else (paths, fields,
// labels, filters, permissions) comes from the server's schema.
import type { ComponentType } from 'react'
import type { Sort } from '../../ui/DataTable'
import type { Document } from './formState'
import type { ResourceSchema } from './schema'

/** A row of a list of records. */
export type Row = Document & { _id: string; version: number; removed?: boolean }

/** Props of a custom editor. */
export type EditProps = {
  schema: ResourceSchema
  /** The form's current values. */
  draft: Document
  /** The record as stored; for a new one its default values. */
  document: Document
  isNew: boolean
  setValue: (path: string, value: unknown) => void
  /** Messages by path. */
  errors: Record<string, string>
  /** This reader may only look at it. */
  readOnly: boolean
}

/** An editor for several fields at once; `paths` are the fields it writes. */
export type CustomField = { paths: readonly string[]; component: ComponentType<EditProps> }

export type Section = {
  title: string
  /** Names of schema fields, or custom editors. */
  fields: readonly (string | CustomField)[]
  /** Condition for showing the section. */
  when?: (draft: Document) => boolean
}

/** Rendering of a column, where the field's type is not enough. */
export type CellDef<R> = {
  header?: string
  align?: 'left' | 'right'
  /** Any CSS width. */
  width?: string
  /** Minimum width of its text, any CSS width. */
  minWidth?: string
  /** It contains its own link: as the first column it gets none. */
  isLink?: boolean
  /** Name of the field shown in small type below. */
  secondaryField?: string
  /** Default: depends on the field's type. */
  cell?: ComponentType<{ row: R }>
}

/** A list's columns and addresses, for records as for other rows. */
export type ListDef<R> = {
  /** Storage name of its views and columns. */
  name: string
  /** Its address. */
  page: string
  /** Default columns. The first one links to the row and is always visible. */
  columns: readonly string[]
  cells?: Record<string, CellDef<R>>
  /** Further columns users can choose; missing: every field. */
  optionalColumns?: readonly string[]
  /** Key of a row, and the address of its page. */
  idOf: (row: R) => string
  pageOf: (row: R) => string
  /** A row below 1024 px; by default its columns stacked. */
  card?: ComponentType<{ row: R }>
  /** Default sort, shown in the table's header. */
  sort?: Sort
  /** By default the labels of the searched fields. */
  searchPlaceholder?: string
  /** A period filter that is always visible, with chips for common periods. */
  periodFilter?: string
}

/** Source of the options of a dependent field: `list` of the record named by the field `of`. */
export type RowOf = { of: string; kind: string; list: string; called: string }

/** The records offered for a reference: those that share the form's values in the fields `like`, and pass the filters `only`. */
export type Offer = { like: readonly string[]; only: Record<string, string> }

export type ResourceDef = {
  schema: ResourceSchema
  /** The address of its list. Records are below it, or with `openInList` at `?id=`. */
  page: string
  /** The page of its uploads, instead of the dialog of imports. */
  uploadPage?: string
  openInList?: boolean
  /** How many records one position can hold: a list of a full position does not offer another one. */
  perPosition?: number
  /** The first one is the link to the record. */
  columns: readonly string[]
  cells?: Record<string, CellDef<Row>>
  sections: readonly Section[]
  /**
   * Dependent fields, each with the field that determines its options: only those are offered, and the value is cleared when that
   * field changes.
   */
  dependsOn?: Record<string, string>
  /**
   * Fields of list items that refer to a row of the record named by the same item, e.g. an option of its product. By path: the field
   * that names the record and its kind, the list with its rows, and the name of a row.
   */
  dependentOptions?: Record<string, RowOf>
  /** Filters of the records offered for a reference, by its path (in list items without indexes). */
  offers?: Record<string, Offer>
  /** Hint for an empty list. */
  emptyText?: string
  /** Conditions under which fields are shown, by field name. */
  shownWhen?: Record<string, (draft: Document) => boolean>
  /** Custom editors, by field name. */
  editors?: Record<string, ComponentType<EditProps>>
  /** The changes to send: without fields that no longer apply. */
  toSave?: (changes: Document) => Document
  /** Initial values of a copy of a record; without it records of this kind cannot be copied. */
  copyOf?: (record: Document) => Document
  /** The page of the shop that shows the record; undefined while the shop does not show it. */
  shopHref?: (record: Document) => string | undefined
  /** Shown below the form of an existing record, with the address of its ledger if it has one. */
  below?: ComponentType<{ id: string; ledger?: string }>
  /** Help texts by field name: its purpose, or the meaning of an empty value. */
  helpTexts?: Record<string, string>
  /** Values of a new record. */
  defaultValues?: Document
  /** Further calls that return the record's data: they are invalidated too. */
  shownBy?: readonly string[]
  /** The ledger that counts what the record offers, if any. */
  ledger?: (record: Document) => { kind: string; id: string } | undefined
  /** Preview of the record, above the form. */
  preview?: ComponentType<{ draft: Document }>
}

/** The address of a record's page. */
export const pageOf = (def: ResourceDef, id: string): string =>
  def.openInList ? `${def.page}?id=${encodeURIComponent(id)}` : `${def.page}/${encodeURIComponent(id)}`

export const listOf = (def: ResourceDef): ListDef<Row> => ({
  name: def.schema.name,
  page: def.page,
  columns: def.columns,
  cells: def.cells,
  idOf: (row) => row._id,
  pageOf: (row) => pageOf(def, row._id),
})

/** The `id` of the form for a new record, and the parameter that names the record it is a copy of. */
export const NEW = 'new'
export const COPY_OF = 'copyOf'
export const createPage = (def: ResourceDef): string =>
  def.openInList ? `${def.page}?id=${NEW}` : `${def.page}/create`
export const copyPage = (def: ResourceDef, id: string): string => {
  const page = createPage(def)
  return `${page}${page.includes('?') ? '&' : '?'}${COPY_OF}=${encodeURIComponent(id)}`
}
