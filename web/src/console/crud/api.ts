// Calls for records of any kind. Paths and responses are unions of those in the OpenAPI document; a record's fields are known only from its
// schema, so they are a `Document`.
import { call } from '../../api/client'
import { idempotent, newIdempotencyKey } from '../../api/idempotency'
import type { PathOf, RequestOf, ResponseOf } from '../../api/openapiTypes'
import type { Document } from './formState'
import type { ImportReport } from './importReport'
import type { ResourceKind } from './schema'

type ConsolePath = Extract<PathOf<'GET'>, `/api/console/${string}`>
/** Paths of writable kinds. */
export type RecordPath = {
  [P in ConsolePath]: `${P}/{id}/restore` extends PathOf<'POST'> ? P : never
}[ConsolePath]
/** Paths of kinds that can only be listed or looked up. */
export type ListPath = RecordPath | '/api/console/shop/purchases' | '/api/console/shop/sellers' | '/api/console/users'
type ItemPath = `${Exclude<ListPath, '/api/console/shop/purchases'>}/{id}`
type PathWith<M extends 'GET' | 'POST', Action extends string> = {
  [P in ListPath]: `${P}/${Action}` extends PathOf<M> ? `${P}/${Action}` : never
}[ListPath]

/** The paths where the method has a success response. */
type AllowedPath<M extends 'POST' | 'DELETE', P extends PathOf<M>> = {
  [Q in P]: ResponseOf<M, Q> extends undefined ? never : Q
}[P]
type CreatePath = AllowedPath<'POST', RecordPath>
type RemovePath = AllowedPath<'DELETE', `${RecordPath}/{id}`>

/** The path template of one record. */
export const itemPath = (path: ListPath) => `${path}/{id}` as ItemPath
/** The same, for writable kinds. */
export const recordPath = (path: ListPath): `${RecordPath}/{id}` => `${path as RecordPath}/{id}`
export const exportPath = (path: ListPath) => `${path}/export` as PathWith<'GET', 'export'>

export const recordIn = (
  { one }: ResourceKind,
  answer: ResponseOf<'GET', ItemPath> | ResponseOf<'POST', CreatePath> | undefined,
): Document | undefined => (answer as Record<string, Document> | undefined)?.[one]

export const rowsIn = <R = Document>({ many }: ResourceKind, answer: ResponseOf<'GET', ListPath> | undefined): R[] =>
  (answer as unknown as Record<string, R[]> | undefined)?.[many] ?? []

export const createRecord = (path: ListPath, draft: Document) =>
  call('POST', path as CreatePath, { body: draft as RequestOf<'POST', CreatePath>['body'] })

/** Changes these fields of the version the form started from. */
export const updateRecord = (path: ListPath, id: string, changes: Document & { version: unknown }) =>
  call('PUT', recordPath(path), { path: { id }, body: changes as RequestOf<'PUT', `${RecordPath}/{id}`>['body'] })

export const removeRecord = (path: ListPath, id: string) =>
  call('DELETE', recordPath(path) as RemovePath, { path: { id } })

/** Restores a deleted record, or an earlier version. */
export const restoreRecord = (path: ListPath, id: string, version: number) =>
  call('POST', `${recordPath(path)}/restore`, { path: { id }, body: { version } })

type BulkPath = PathWith<'POST', 'bulk'>

export const changeRecords = (path: ListPath, body: Document) =>
  call('POST', `${path}/bulk` as BulkPath, {
    headers: idempotent(newIdempotencyKey()),
    body: body as RequestOf<'POST', BulkPath>['body'],
  })

type ImportPath = PathWith<'POST', 'import'>
type ImportCall = {
  query: RequestOf<'POST', ImportPath>['query']
  /** Only sent with the first batch; later ones name its table, though the document declares a file in every call. */
  file?: FormData
  headers?: Record<string, string>
}

/** Previews (`dryRun`) or imports a batch of a table. */
export const importRecords = (path: ListPath, { query, file, headers }: ImportCall) =>
  call('POST', `${path}/import` as ImportPath, { query, headers, body: file as FormData }) as Promise<ImportReport>
