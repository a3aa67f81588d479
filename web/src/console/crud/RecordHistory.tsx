// The history of a record, with its changes and a button to restore a version.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { type ApiError, toApiError } from '../../api/errors'
import { apiQueryKey, useApiQuery } from '../../api/query'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { confirmDialog } from '../../ui/confirm'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { History } from '../history/History'
import { historyWords } from '../history/words'
import type { RecordPath } from './api'
import { Changes } from './Changes'
import { isDocument } from './formState'
import type { Field } from './schema'

const t = historyWords

type RecordHistoryProps = {
  title?: string
  template: `${RecordPath}/{id}`
  id: string
  fields: readonly Field[]
  /** Whether versions can be restored. */
  canRestore: boolean
  /** Whether the record's form has unsaved input, which a restored version replaces. */
  isDirty?: () => boolean
  /** Called when a version has been restored. */
  onRestored?: () => void
}

export function RecordHistory({
  title = t.title,
  template,
  id,
  fields,
  canRestore,
  isDirty,
  onRestored,
}: RecordHistoryProps) {
  const client = useQueryClient()
  const { data, error, refetch } = useApiQuery(`${template}/history`, { path: { id } })
  const [busy, setBusy] = useState<number>()
  const events = data?.events ?? []
  const newest = events.at(-1)?.version

  const restore = async (version: number) => {
    const text = isDirty?.() ? `${t.restoreUnsaved} ${t.restoreText}` : t.restoreText
    if (!(await confirmDialog({ title: t.restoreAsk(version), text }))) return
    setBusy(version)
    try {
      await call('POST', `${template}/restore`, { path: { id }, body: { version } })
      void toast(t.restored, { tone: 'success' })
      onRestored?.()
      for (const read of [template, `${template}/history`, template.replace('/{id}', '')])
        void client.invalidateQueries({ queryKey: apiQueryKey(read).slice(0, 2) })
    } catch (thrown) {
      const refusal = toApiError(thrown)
      if (!refusal.alerted) void toast(complaints(refusal, fields), { tone: 'error' })
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <Card title={title}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-48" />
        </Loading>
      ) : (
        <History
          events={events}
          details={(event) => (
            <Changes
              changes={event.changes ?? {}}
              fields={fields}
              whole={isDocument(event.document) ? event.document : undefined}
            />
          )}
          actions={(event) =>
            canRestore &&
            event.version !== newest && (
              <Button
                size="sm"
                variant="ghost"
                busy={busy === event.version}
                disabled={busy !== undefined}
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

/** A version may violate a current rule: which fields, and why. */
const complaints = (refusal: ApiError, fields: readonly Field[]): string =>
  refusal.fields
    .map(({ field, message }) => {
      const label = fields.find((one) => one.name === field)?.label
      return label ? `${label}: ${message}` : message
    })
    .join(' ') || refusal.message
