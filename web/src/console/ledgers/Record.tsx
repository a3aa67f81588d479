// A record at a moment and what changed in it, in the names its kind gives its fields.
import { useRead } from '../../api/read'
import { Facts } from '../../ui/Card'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { Changes } from '../kit/Changes'
import { topChanges } from '../kit/changes'
import type { Descriptor, Field } from '../kit/descriptor'
import { at, type Document, isDocument } from '../kit/draft'
import { Said } from '../kit/Said'

type RecordChangesProps = {
  kind: Descriptor
  id: string
  /** Zero: before it was there. */
  since: number
  now: unknown
}

/** What is different since an earlier event. */
export function RecordChanges({ kind, id, since, now }: RecordChangesProps) {
  const wanted = { path: { subject: 'record' as const, id }, query: { position: since } }
  const { data, error, refetch } = useRead('/api/console/history/{subject}/{id}', wanted, { enabled: since > 0 })
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

/** What a record said, field by field; what it said nothing in is left away. */
export function Content({ kind, document }: { kind: Descriptor; document: Document }) {
  const rows = kind.fields.flatMap((field) => {
    const value = at(document, field.name)
    const isNothing =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    if (isNothing) return []
    const items = field.of && Array.isArray(value) ? value : [value]
    return [{ name: field.label, value: items.map((item, i) => <ContentItem key={i} field={field} value={item} />) }]
  })
  return <Facts rows={rows} className="text-sm" />
}

const ContentItem = ({ field, value }: { field: Field; value: unknown }) => (
  <p className="break-words">
    <Said field={field} value={value} />
  </p>
)
