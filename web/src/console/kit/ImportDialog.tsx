// Many records from a file: first what would happen, line by line, then the real thing.
import { useId, useState } from 'react'
import { call } from '../../api/client'
import { type FieldError, toApiError } from '../../api/errors'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { words } from '../words'
import { type Descriptor, fieldOf } from './descriptor'
import { isDocument, shown } from './draft'

const k = words.kit

type ImportRow = {
  row: number
  action: 'create' | 'update' | 'error'
  id?: string | null
  name?: string | null
  changes?: unknown
  errors?: FieldError[]
}
type Answer = { summary: { rows: number; creates: number; updates: number; errors: number }; rows: ImportRow[] }

type ImportDialogProps = { kind: Descriptor; onClose: () => void; onDone: () => void }

export function ImportDialog({ kind, onClose, onDone }: ImportDialogProps) {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [plan, setPlan] = useState<Answer>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (chosen: File, dryRun: boolean) => {
    const body = new FormData()
    body.append('file', chosen, chosen.name)
    setBusy(true)
    setFailure(undefined)
    try {
      const answer = await call<Answer>('POST', `${kind.path}/import`, {
        query: { dryRun: dryRun ? 'true' : undefined },
        body,
      })
      setPlan(answer)
      return answer
    } catch (thrown) {
      setPlan(undefined)
      setFailure(toApiError(thrown).message)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const go = async () => {
    const answer = file && (await send(file, false))
    if (!answer) return
    void toast(k.imported(answer.summary.creates + answer.summary.updates), { tone: 'success' })
    onDone()
    onClose()
  }
  const good = plan ? plan.summary.creates + plan.summary.updates : 0
  return (
    <Dialog
      open
      width="lg"
      onOpenChange={(open) => !open && onClose()}
      title={k.importTitle(kind.title)}
      text={k.importText}
      actions={
        <>
          <Button variant="outline" busy={busy && !plan} onClick={() => document.getElementById(id)?.click()}>
            {k.chooseFile}
          </Button>
          <Button busy={busy && plan !== undefined} disabled={!plan || good === 0} onClick={() => void go()}>
            {k.importGo(good)}
          </Button>
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
          if (!chosen) return
          setFile(chosen)
          void send(chosen, true)
        }}
      />
      {failure && (
        <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger">
          {failure}
        </p>
      )}
      {busy && !plan && (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      )}
      {plan && <Plan plan={plan} kind={kind} name={file?.name ?? ''} />}
    </Dialog>
  )
}

const TONES = { create: 'good', update: 'busy', error: 'bad' } as const

function Plan({ plan, kind, name }: { plan: Answer; kind: Descriptor; name: string }) {
  const { rows, creates, updates, errors } = plan.summary
  return (
    <>
      <p role="status" className="font-semibold">
        {name} · {k.importSummary(rows, creates, updates, errors)}
      </p>
      {errors > 0 && creates + updates > 0 && <p className="mt-1 text-ink-2 text-sm">{k.importWithErrors}</p>}
      {creates + updates === 0 && <p className="mt-1 text-ink-2 text-sm">{k.importNothing}</p>}
      <table className="mt-3 w-full border-collapse text-sm">
        <thead>
          <tr className="border-line border-b text-left text-ink-2">
            {[k.importRow, k.importAction, k.importName, k.importChanges].map((title) => (
              <th key={title} scope="col" className="py-2 pr-3 font-semibold">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plan.rows.map((row) => (
            <tr
              key={row.row}
              className={cn('border-line border-b align-top last:border-0', row.action === 'error' && 'bg-danger-soft')}
            >
              <td className="figures py-2 pr-3">{row.row}</td>
              <td className="py-2 pr-3">
                <Badge tone={TONES[row.action]}>{k.importActions[row.action]}</Badge>
              </td>
              <td className="break-words py-2 pr-3">{row.name ?? '-'}</td>
              <td className="break-words py-2">
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
    </>
  )
}

/** What a line changes: `{ field: { from, to } }`, or only the names of the fields. */
function Changes({ kind, changes }: { kind: Descriptor; changes: unknown }) {
  if (Array.isArray(changes))
    return changes.map((name) => fieldOf(kind, String(name))?.label ?? String(name)).join(', ')
  if (!isDocument(changes)) return null
  return (
    <ul>
      {Object.entries(changes).map(([name, change]) => {
        const field = fieldOf(kind, name)
        const pair = isDocument(change) && ('from' in change || 'to' in change) ? change : { to: change }
        return (
          <li key={name}>
            <span className="text-ink-3">{field?.label ?? name}:</span>{' '}
            {'from' in pair && <s className="text-ink-3">{shown(field, pair.from)}</s>} {shown(field, pair.to)}
          </li>
        )
      })}
    </ul>
  )
}
