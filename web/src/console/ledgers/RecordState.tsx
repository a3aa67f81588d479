// A record's state at a moment and its changes, with the labels of its schema.
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api/query'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { Changes } from '../crud/Changes'
import { topChanges } from '../crud/changes'
import { FieldValue } from '../crud/FieldValue'
import { type Document, getIn, isDocument } from '../crud/formState'
import type { Field, ResourceSchema } from '../crud/schema'

type RecordChangesProps = {
  kind: ResourceSchema
  id: string
  /** Zero: before it existed. */
  since: number
  now: unknown
}

/** The changes since an earlier event. */
export function RecordChanges({ kind, id, since, now }: RecordChangesProps) {
  const request = { path: { subject: 'record' as const, id }, query: { position: since } }
  const { data, error, refetch } = useApiQuery('/api/console/history/{subject}/{id}', request, { enabled: since > 0 })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (since > 0 && !data)
    return (
      <Loading>
        <Skeleton className="h-16" />
      </Loading>
    )
  const documentOf = (state: unknown) => (isDocument(state) ? state : {})
  return (
    <div className="text-sm">
      <Changes changes={topChanges(documentOf(data?.state), documentOf(now))} fields={kind.fields} />
    </div>
  )
}

/** The fields of a record, without empty ones. */
export function RecordContent({ kind, document }: { kind: ResourceSchema; document: Document }) {
  const rows = kind.fields.flatMap((field) => {
    const value = getIn(document, field.name)
    const isNothing =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    if (isNothing) return []
    const items = field.of && Array.isArray(value) ? value : [value]
    return [{ name: field.label, value: items.map((item, i) => <ContentItem key={i} field={field} value={item} />) }]
  })
  return <DefinitionList rows={rows} />
}

const ContentItem = ({ field, value }: { field: Field; value: unknown }) => (
  <div className="break-words [&+&]:mt-3">
    <FieldValue field={field} value={value} />
  </div>
)

export const DefinitionList = ({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) => (
  <dl className="grid gap-x-4 text-sm sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-y-2.5">
    {rows.map(({ name, value }) => (
      <div key={name} className="contents">
        <dt className="break-words text-ink-2">{name}</dt>
        <dd className="min-w-0 max-sm:mb-2.5">{value}</dd>
      </div>
    ))}
  </dl>
)
