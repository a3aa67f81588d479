// The history of a record: what each change changed, and the way back to any version.
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { call } from '../../api/client'
import { readKey, useRead } from '../../api/read'
import { ask } from '../../ui/ask'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { History } from '../history/History'
import type { HistoryAnswer, HistoryEvent } from '../wire'
import { words } from '../words'
import { changesOf } from './changes'
import type { Field } from './descriptor'
import { at, isDocument, shown } from './draft'
import { useNameOf } from './inputs/ReferenceInput'

const t = words.history

type RecordHistoryProps = {
  title?: string
  /** The record's address, e.g. `/api/console/shop/products/{id}`. */
  template: string
  id: string
  fields: readonly Field[]
  /** Versions may be brought back. */
  canRestore: boolean
}

export function RecordHistory({ title = t.title, template, id, fields, canRestore }: RecordHistoryProps) {
  const client = useQueryClient()
  const { data, error, refetch } = useRead<HistoryAnswer>(`${template}/history`, { path: { id } })
  const [busy, setBusy] = useState<number>()
  const events = data?.events ?? []
  const newest = events.at(-1)?.version

  const restore = async (version: number) => {
    if (!(await ask({ title: t.restoreAsk(version), text: t.restoreText }))) return
    setBusy(version)
    try {
      await call('POST', `${template}/restore`, { path: { id }, body: { version } })
      void toast(t.restored, { tone: 'success' })
      for (const read of [template, `${template}/history`, template.replace('/{id}', '')])
        void client.invalidateQueries({ queryKey: readKey(read).slice(0, 2) })
    } catch (thrown) {
      void toast(thrown instanceof Error ? thrown.message : String(thrown), { tone: 'error' })
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <Card title={title}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-48" />
        </Loading>
      ) : (
        <History
          events={events}
          details={(event) => <Changes event={event} fields={fields} />}
          actions={(event) =>
            canRestore &&
            event.version !== newest && (
              <Button
                size="sm"
                variant="ghost"
                busy={busy === event.version}
                onClick={() => void restore(event.version)}
              >
                {t.restore}
              </Button>
            )
          }
        />
      )}
    </Card>
  )
}

/** What an event changed, field by field. */
function Changes({ event, fields }: { event: HistoryEvent; fields: readonly Field[] }) {
  const rows = changesOf(event.changes ?? {}, fields)
  if (rows.length === 0) return null
  return (
    <ul className="mt-1 grid gap-0.5">
      {rows.map(({ path, label, field, from, to }) => (
        <li key={path} className="break-words">
          <span className="text-ink-3">{label}:</span>{' '}
          <s className="text-ink-3">
            <Said field={field} value={from} />
          </s>{' '}
          <span aria-hidden>→</span>{' '}
          <strong className="text-ink">
            <Said field={field} value={to} />
          </strong>
        </li>
      ))}
    </ul>
  )
}

/** A value as people read it; of what is named by an id, its name; of a list's item, all that is said of it. */
function Said({ field, value }: { field: Field | undefined; value: unknown }): ReactNode {
  if (field?.type === 'reference' && typeof value === 'string' && value !== '')
    return <NameOf kind={field.resource ?? ''} id={value} />
  if (field?.type === 'references' && Array.isArray(value) && value.length > 0)
    return value.map((id, i) => (
      <Fragment key={String(id)}>
        {i > 0 && ', '}
        <NameOf kind={field.resource ?? ''} id={String(id)} />
      </Fragment>
    ))
  if (field?.of && isDocument(value))
    return field.of
      .filter((part) => part.name !== '_id' && (at(value, part.name) ?? '') !== '')
      .map((part) => shown(part, at(value, part.name)))
      .join(' · ')
  return shown(field, value)
}

const NameOf = ({ kind, id }: { kind: string; id: string }) => useNameOf(kind, id)
