// Many records from a file: first what would happen, line by line, then the real thing.
import { useId, useState } from 'react'
import { type CallOptions, call } from '../../api/client'
import { type ApiError, type FieldError, toApiError } from '../../api/errors'
import { idempotent, useIdempotencyKey } from '../../api/idempotency'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { words } from '../words'
import { type Descriptor, type Field, fieldOf } from './descriptor'
import { shown } from './draft'

const k = words.kit

type ImportRow = {
  row: number
  action: 'create' | 'update' | 'error'
  id?: string | null
  name?: string | null
  changes?: Record<string, { from: string; to: string }> | null
  errors?: FieldError[]
}
type Answer = {
  summary: { rows: number; creates: number; updates: number; unchanged: number; errors: number }
  rows: ImportRow[]
}

type ImportDialogProps = { kind: Descriptor; onClose: () => void; onDone: () => void }

export function ImportDialog({ kind, onClose, onDone }: ImportDialogProps) {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [key, renewKey] = useIdempotencyKey()
  /** What the file would do; `left`: what it could not do when it was for good. */
  const [plan, setPlan] = useState<Answer>()
  const [left, setLeft] = useState<Answer>()
  const [failure, setFailure] = useState<ApiError>()
  const [busy, setBusy] = useState<'looking' | 'doing'>()

  const send = (chosen: File, options: CallOptions) => {
    const body = new FormData()
    body.append('file', chosen, chosen.name)
    return call<Answer>('POST', `${kind.path}/import`, { ...options, body })
  }
  const during = async (what: typeof busy, work: () => Promise<void>) => {
    setBusy(what)
    setFailure(undefined)
    try {
      await work()
    } catch (thrown) {
      setFailure(toApiError(thrown))
    } finally {
      setBusy(undefined)
    }
  }
  const look = (chosen: File) => {
    setFile(chosen)
    renewKey()
    setPlan(undefined)
    setLeft(undefined)
    return during('looking', async () => setPlan(await send(chosen, { query: { dryRun: 'true' } })))
  }
  // Whoever heard no answer presses again: the key stays, so that nothing is made twice.
  const go = (chosen: File) =>
    during('doing', async () => {
      const answer = await send(chosen, { headers: idempotent(key) })
      void toast(k.imported(goodOf(answer)), { tone: 'success' })
      onDone()
      if (answer.summary.errors === 0) return onClose()
      setPlan(undefined)
      setLeft(answer)
    })
  const good = plan ? goodOf(plan) : 0
  return (
    <Dialog
      open
      width="lg"
      // What is being done cannot be taken back, and its outcome has to be told.
      onOpenChange={(open) => !open && busy !== 'doing' && onClose()}
      title={k.importTitle(kind.title)}
      text={k.importText}
      actions={
        <>
          <Button
            variant="outline"
            busy={busy === 'looking'}
            disabled={busy !== undefined}
            onClick={() => document.getElementById(id)?.click()}
          >
            {k.chooseFile}
          </Button>
          {left ? (
            <Button onClick={onClose}>{ko.action.close}</Button>
          ) : (
            <Button busy={busy === 'doing'} disabled={!file || good === 0} onClick={() => file && void go(file)}>
              {k.importGo(good)}
            </Button>
          )}
        </>
      }
    >
      <input
        id={id}
        type="file"
        accept=".xlsx,.csv,text/csv"
        aria-label={k.chooseFile}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) void look(chosen)
        }}
      />
      {failure && <Failure error={failure} />}
      {busy === 'looking' && (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      )}
      {plan && file && <Plan plan={plan} kind={kind} name={file.name} />}
      {left && (
        <>
          <p role="status" className="font-semibold">
            {k.importLeft(goodOf(left), left.summary.errors)}
          </p>
          <Rows rows={left.rows.filter((row) => row.action === 'error')} kind={kind} />
        </>
      )}
    </Dialog>
  )
}

const goodOf = ({ summary }: Answer): number => summary.creates + summary.updates

/** Why the file as a whole is refused: a complaint about a column says which. */
const Failure = ({ error }: { error: ApiError }) => (
  <div role="alert" className="mb-3 rounded-md bg-danger-soft px-4 py-3 text-danger">
    {error.fields.length === 0
      ? error.message
      : error.fields.map(({ field, message }) => (
          <p key={field + message}>{field === 'file' ? message : `${field}: ${message}`}</p>
        ))}
  </div>
)

const TONES = { create: 'good', update: 'busy', error: 'bad' } as const

function Plan({ plan, kind, name }: { plan: Answer; kind: Descriptor; name: string }) {
  return (
    <>
      <p role="status" className="font-semibold">
        {name} · {k.importSummary(plan.summary)}
      </p>
      {plan.summary.errors > 0 && goodOf(plan) > 0 && <p className="mt-1 text-ink-2 text-sm">{k.importWithErrors}</p>}
      {goodOf(plan) === 0 && <p className="mt-1 text-ink-2 text-sm">{k.importNothing}</p>}
      {plan.rows.length > 0 && <Rows rows={plan.rows} kind={kind} />}
    </>
  )
}

function Rows({ rows, kind }: { rows: readonly ImportRow[]; kind: Descriptor }) {
  return (
    <table className="mt-3 w-full border-collapse text-sm">
      <thead>
        <tr className="border-line border-b text-left text-ink-2">
          {[k.importRow, k.importAction, k.importName, k.importChanges].map((title) => (
            <th key={title} scope="col" className="whitespace-nowrap py-2 pr-3 font-semibold">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.row}
            className={cn('border-line border-b align-top last:border-0', row.action === 'error' && 'bg-danger-soft')}
          >
            <td className="figures py-2 pr-3">{row.row}</td>
            <td className="py-2 pr-3">
              <Badge tone={TONES[row.action]}>{k.importActions[row.action]}</Badge>
            </td>
            <td className="min-w-20 py-2 pr-3">{row.name ?? '-'}</td>
            <td className="min-w-28 py-2">
              {(row.errors ?? []).length > 0 ? (
                <ul className="text-danger">
                  {row.errors?.map((error) => (
                    <li key={error.field + error.code}>
                      {fieldOf(kind, error.field)?.label ?? error.field}: {error.message}
                    </li>
                  ))}
                </ul>
              ) : (
                <Changes kind={kind} changes={row.changes} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A cell as the file says it; of what is chosen from a list, its name. */
const cellText = (field: Field | undefined, text: string): string =>
  field?.type === 'enum' || field?.type === 'html' ? shown(field, text) : text

/** What a line changes: `{ field: { from, to } }`, in the words of its cells. */
function Changes({ kind, changes }: { kind: Descriptor; changes: ImportRow['changes'] }) {
  return (
    <ul>
      {Object.entries(changes ?? {}).map(([name, { from, to }]) => {
        const field = fieldOf(kind, name)
        return (
          <li key={name}>
            <span className="text-ink-3">{field?.label ?? name}:</span>{' '}
            {from && (
              <>
                <s className="text-ink-3">{cellText(field, from)}</s> <span aria-hidden>→</span>{' '}
              </>
            )}
            {cellText(field, to) || '-'}
          </li>
        )
      })}
    </ul>
  )
}
