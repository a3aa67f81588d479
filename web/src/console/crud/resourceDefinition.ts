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
  /** Names of the descriptor's fields, or editors of one's own. */
  fields: readonly (string | CustomField)[]
  /** Shown while this holds. */
  when?: (draft: Document) => boolean
}

/** Rendering of a column, where the field's type is not enough. */
export type CellDef<R> = {
  header?: string
  align?: 'left' | 'right'
  /** Any CSS width. */
  width?: string
  /** Any CSS width its text is not made narrower than. */
  minWidth?: string
  /** It has the link in it: as the first column it is not made one. */
  isLink?: boolean
  /** Name of the field that stands in small letters below. */
  secondaryField?: string
  /** Missing: as the field's type has it. */
  cell?: ComponentType<{ row: R }>
}

/** A list's columns and addresses, for records as for other rows. */
export type ListDef<R> = {
  /** What its views and its columns are kept under. */
  name: string
  /** Its address. */
  page: string
  /** Default columns. The first one links to the row and is always visible. */
  columns: readonly string[]
  cells?: Record<string, CellDef<R>>
  /** Further columns users can choose; missing: every field. */
  optionalColumns?: readonly string[]
  /** What a row is known by, and where it is shown. */
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

/** The records offered for a reference: those that share fields with what stands in the form, and pass filters. */
export type Offer = { like: readonly string[]; only: Record<string, string> }

export type ResourceDef = {
  schema: ResourceSchema
  /** The address of its list. Its records stand below it, or with `inList` at `?id=`. */
  page: string
  openInList?: boolean
  /** The first one is the link to the record. */
  columns: readonly string[]
  cells?: Record<string, CellDef<Row>>
  sections: readonly Section[]
  /**
   * Fields whose choices belong to what another field says, by that field: only those are offered, and with another one there the
   * choice is taken back.
   */
  dependsOn?: Record<string, string>
  /**
   * Fields of a list's items that name a row of what the item itself names, e.g. an option of its product: by their path, the field
   * that names the record and its kind, the list its rows stand in, and what a row is called.
   */
  dependentOptions?: Record<string, RowOf>
  /** What the records offered for a reference are narrowed to, by its path (in a list's items without indexes). */
  offers?: Record<string, Offer>
  /** What to do while there is none yet. */
  emptyText?: string
  /** Fields that are shown only while this holds, by their names. */
  shownWhen?: Record<string, (draft: Document) => boolean>
  /** Editors of fields that are not edited as their type is, by their names. */
  editors?: Record<string, ComponentType<EditProps>>
  /** What is sent of the fields that changed: without what no longer applies. */
  toSave?: (changes: Document) => Document
  /** What a copy of a record starts with; missing: it cannot be copied. */
  copyOf?: (record: Document) => Document
  /** What stands below the form of a record that exists, with the address of its ledger if it has one. */
  below?: ComponentType<{ id: string; ledger?: string }>
  /** What a field is for, or what its emptiness means, by its name. */
  helpTexts?: Record<string, string>
  /** Values of a new record. */
  defaultValues?: Document
  /** Calls that answer what a record says, beside its own: they are asked again. */
  shownBy?: readonly string[]
  /** The ledger that counts what a record sets out, if there is one. */
  ledger?: (record: Document) => { kind: string; id: string } | undefined
  /** A picture of what is being made, above the form. */
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
