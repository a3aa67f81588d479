// The history of a record: what each change changed, and the way back to any version.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
import type { Field } from './descriptor'
import { isDocument, shown } from './draft'
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

/** What an event changed, field by field. Parts of a field that stayed the same are not repeated. */
function Changes({ event, fields }: { event: HistoryEvent; fields: readonly Field[] }) {
  const rows = Object.entries(event.changes ?? {}).flatMap(([key, change]) => parts(key, change.from, change.to))
  if (rows.length === 0) return null
  return (
    <ul className="mt-1 grid gap-0.5">
      {rows.map(({ path, from, to }) => {
        const field = fields.find((known) => known.name === path)
        return (
          <li key={path} className="break-words">
            <span className="text-ink-3">{field?.label ?? path}:</span>{' '}
            <s className="text-ink-3">
              <Said field={field} value={from} />
            </s>{' '}
            <span aria-hidden>→</span>{' '}
            <strong className="text-ink">
              <Said field={field} value={to} />
            </strong>
          </li>
        )
      })}
    </ul>
  )
}

/** A value as people read it; of what is named by an id, its name. */
function Said({ field, value }: { field: Field | undefined; value: unknown }) {
  const isNamed = field?.type === 'reference' && typeof value === 'string' && value !== ''
  return isNamed ? <NameOf kind={field.resource ?? ''} id={value} /> : shown(field, value)
}

const NameOf = ({ kind, id }: { kind: string; id: string }) => useNameOf(kind, id)

function parts(path: string, from: unknown, to: unknown): { path: string; from: unknown; to: unknown }[] {
  if (!isDocument(from) || !isDocument(to))
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from, to }]
  const keys = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...keys].flatMap((key) => parts(`${path}.${key}`, from[key], to[key]))
}
