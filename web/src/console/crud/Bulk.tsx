// Bulk actions: deleting records, restoring them, or setting one field of all.
import { useRef, useState } from 'react'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { useCloseWarning } from '../../features/forms/unsaved'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { Dialog } from '../../ui/Dialog'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import { historyWords } from '../history/words'
import { itemPath, recordIn, restoreRecord } from './api'
import type { BulkChangeProps } from './BulkChangeDialog'
import { BATCH_SIZE, type BatchResult, bulkRequest, runInBatches } from './batch'
import { batchWords } from './batchWords'
import type { Document } from './formState'
import type { Choice } from './ResourceTable'
import type { Row } from './resourceDefinition'
import { type Field as FieldDef, type ResourceSchema, supportsRestore } from './schema'
import { UNDO_MS } from './undoableDelete'
import { type BulkAction, crudWords, recordWords } from './words'

const k = crudWords

const BulkChangeDialog = optional<BulkChangeProps>(() => import('./BulkChangeDialog'), {
  onFail: ({ onClose }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
})

type BatchSummary = { done: readonly string[]; failed: BatchResult['failed'] }

/** Fields that can be set for many records at once: top-level and short. */
export const bulkFields = (kind: ResourceSchema): FieldDef[] =>
  kind.fields.filter(
    (field) =>
      !field.readOnly &&
      !field.name.includes('.') &&
      // Money for some records, a percentage for others.
      !field.unit &&
      ['boolean', 'enum', 'integer', 'percent', 'amount', 'reference', 'datetime', 'date'].includes(field.type),
  )

type BulkProps = { kind: ResourceSchema; chosen: Choice<Row>; onDone: () => void }

/** Restores deleted records and reports how many failed. */
async function bringBack(kind: ResourceSchema, ids: readonly string[], onDone: () => void) {
  const counts = { done: 0, failed: 0 }
  try {
    await runInBatches(bulkRequest(kind.path, { action: 'restore' }, { ids }), ({ done, failed }) => {
      counts.done += done.length
      counts.failed += failed.length
    })
    void toast(k.bulkDone('restore', counts.done, counts.failed), { tone: counts.failed > 0 ? 'error' : 'success' })
  } catch (thrown) {
    void toast(toApiError(thrown).told, { tone: 'error' })
  }
  onDone()
}

export function Bulk({ kind, chosen, onDone }: BulkProps) {
  const { count } = chosen
  const [changing, setChanging] = useState(false)
  const [told, setTold] = useState<BatchSummary>()
  const [busy, setBusy] = useState(false)
  const [action, setAction] = useState<BulkAction>('update')
  const stopped = useRef(false)
  // Closing the tab meanwhile would leave the rest undone.
  useCloseWarning(busy)
  const send = async (body: Document & { action: BulkAction }) => {
    const { done, failed }: { done: string[]; failed: BatchResult['failed'][number][] } = { done: [], failed: [] }
    const tell = () => setTold({ done: [...done], failed: [...failed] })
    stopped.current = false
    setChanging(false)
    setAction(body.action)
    setBusy(true)
    tell()
    try {
      const isStopped = () => stopped.current
      await runInBatches(
        bulkRequest(kind.path, body, chosen),
        (part) => {
          done.push(...part.done)
          failed.push(...part.failed)
          tell()
        },
        isStopped,
      )
    } catch (thrown) {
      void toast(toApiError(thrown).told, { tone: 'error' })
    }
    setBusy(false)
    const undo = { label: k.undo, onClick: () => void bringBack(kind, done, onDone) }
    if (done.length + failed.length > 0)
      void toast(k.bulkDone(body.action, done.length, failed.length), {
        tone: failed.length > 0 ? 'error' : 'success',
        ...(body.action === 'delete' && done.length > 0 && { action: undo, duration: UNDO_MS }),
      })
    // Keeps the selection while failures are shown: without one this component is not rendered.
    if (failed.length === 0) onDone()
  }
  const close = () => {
    setTold(undefined)
    onDone()
  }
  const remove = async () => {
    // Deleting all matching rows asks first; deleting selected rows offers an undo.
    const isMeant =
      !chosen.matching ||
      (await confirmDialog({
        title: k.removeManyAsk(count),
        text: recordWords.removeText,
        yes: ko.action.remove,
        danger: true,
      }))
    if (isMeant) await send({ action: 'delete' })
  }
  const progress = told && (
    <Progress
      kind={kind}
      action={action}
      told={told}
      count={count}
      busy={busy}
      onStop={() => {
        stopped.current = true
      }}
      onClose={close}
    />
  )
  const fields = bulkFields(kind)
  // A list shows only deleted records, or none.
  if (chosen.rows.some((row) => row.removed === true))
    return (
      <>
        {kind.actions.includes('bulk') && supportsRestore(kind) && (
          <Button size="sm" variant="outline" busy={busy} onClick={() => void send({ action: 'restore' })}>
            {k.restoreSelected}
          </Button>
        )}
        {progress}
      </>
    )
  return (
    <>
      {kind.actions.includes('bulk') && kind.actions.includes('delete') && (
        <Button size="sm" variant="danger" busy={busy} onClick={() => void remove()}>
          {k.removeSelected}
        </Button>
      )}
      {kind.actions.includes('bulk') && kind.actions.includes('update') && fields.length > 0 && (
        <Button size="sm" variant="outline" onClick={() => setChanging(true)}>
          {k.changeSelected}
        </Button>
      )}
      {changing && (
        <BulkChangeDialog
          fields={fields}
          count={count}
          busy={busy}
          onClose={() => setChanging(false)}
          onChange={(fieldsSent) => void send({ action: 'update', fields: fieldsSent })}
        />
      )}
      {progress}
    </>
  )
}

type ProgressProps = {
  kind: ResourceSchema
  action: BulkAction
  told: BatchSummary
  count: number
  busy: boolean
  onStop: () => void
  onClose: () => void
}

/** Progress and failures; null for actions of one batch. */
function Progress({ kind, action, told: { done, failed }, count, busy, onStop, onClose }: ProgressProps) {
  if (busy ? count <= BATCH_SIZE : failed.length === 0) return null
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={busy ? k.bulkRunning : k.bulkFailed}
      description={
        busy ? batchWords.running(done.length + failed.length, count) : k.bulkDone(action, done.length, failed.length)
      }
      footer={
        <Button variant="outline" onClick={busy ? onStop : onClose}>
          {busy ? batchWords.stop : ko.action.close}
        </Button>
      }
    >
      <ul aria-live="polite" className="grid gap-2 text-sm">
        {failed.map((one) => (
          <li key={one.id}>
            <span className="font-semibold">
              <NameOf kind={kind} id={one.id} />
            </span>{' '}
            {one.message}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type RestoreProps = { kind: ResourceSchema; row: Row; onDone: () => void }

/** Restores a deleted record. */
export function Restore({ kind, row, onDone }: RestoreProps) {
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await restoreRecord(kind.path, row._id, row.version)
      void toast(historyWords.restored, { tone: 'success' })
      onDone()
    } catch (thrown) {
      void toast(toApiError(thrown).told, { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="sm" variant="outline" busy={busy} onClick={() => void restore()}>
      {k.restore}
    </Button>
  )
}

/** A record's name; its id where the name cannot be read. */
function NameOf({ kind, id }: { kind: ResourceSchema; id: string }) {
  const { data } = useApiQuery(itemPath(kind.path), { path: { id } }, { retry: false, meta: { suppressToast: true } })
  const record = recordIn(kind, data)
  return String(record?.name ?? record?.title ?? record?.code ?? id)
}
