// Import of records from a file: a preview row by row, then the import itself. A file is sent once and processed in batches, with
// progress; a stopped or failed import continues where it was.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/errors'
import { idempotent, useIdempotencyKey } from '../../api/idempotency'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { fileName, saveFile } from '../../lib/files'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { ProgressBar } from '../../ui/ProgressBar'
import { Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { importRecords } from './api'
import { runInBatches } from './batch'
import { batchWords } from './batchWords'
import { formatValue } from './formState'
import {
  BYTES_MOST,
  errorsFile,
  failedRows,
  fieldErrorText,
  type ImportReport,
  type ImportRow,
  isComplete,
  mergeReports,
  shownOf,
  validCount,
} from './importReport'
import { importWords } from './importWords'
import { type Field, fieldOf, type ResourceSchema } from './schema'
import { crudWords } from './words'

const k = importWords

export type ImportDialogProps = {
  kind: ResourceSchema
  /** Texts of an import of something else than records. */
  words?: { title: (title: string) => string; text: string; summary: typeof importWords.summary }
  /** Further parameters of the calls, and their fields. */
  query?: Record<string, string>
  children?: ReactNode
  onClose: () => void
  onDone: () => void
}

export function ImportDialog({ kind, words, query = {}, children, onClose, onDone }: ImportDialogProps) {
  const said = { ...k, ...words }
  const id = useId()
  const [file, setFile] = useState<File>()
  const [key, renewKey] = useIdempotencyKey()
  /** The import's preview and its results so far. */
  const [plan, setPlan] = useState<ImportReport>()
  const [made, setMade] = useState<ImportReport>()
  const [failure, setFailure] = useState<Pick<ApiError, 'message' | 'fields'>>()
  const [busy, setBusy] = useState<'looking' | 'doing'>()
  /** The current run: responses to earlier ones are ignored. */
  const turn = useRef<object>(undefined)
  const stopped = useRef(false)
  useEffect(
    () => () => {
      turn.current = undefined
    },
    [],
  )

  const during = async (what: typeof busy, work: (isOn: () => boolean) => Promise<void>) => {
    const mine = {}
    turn.current = mine
    const isOn = () => turn.current === mine
    setBusy(what)
    setFailure(undefined)
    try {
      await work(isOn)
    } catch (thrown) {
      if (isOn()) setFailure(toApiError(thrown))
    }
    if (isOn()) setBusy(undefined)
  }
  const look = (chosen: File) => {
    turn.current = undefined
    setFile(chosen)
    renewKey()
    setPlan(undefined)
    setMade(undefined)
    setBusy(undefined)
    if (chosen.size > BYTES_MOST) return setFailure({ message: k.tooLarge, fields: [] })
    const file = new FormData()
    file.append('file', chosen, chosen.name)
    void during('looking', (isOn) => {
      let report: ImportReport | undefined
      const ask = (after: number | undefined) =>
        report && after !== undefined
          ? importRecords(kind.path, { query: { ...query, dryRun: 'true', table: report.table, after: String(after) } })
          : importRecords(kind.path, { query: { ...query, dryRun: 'true' }, file })
      const take = (part: ImportReport) => {
        report = mergeReports(report, part)
        if (isOn()) setPlan(report)
      }
      return runInBatches(ask, take, () => !isOn())
    })
  }
  // After a lost response the same key is sent again, so that nothing is created twice.
  const go = ({ table }: ImportReport) => {
    stopped.current = false
    void during('doing', async () => {
      let report = made
      const ask = (after = 0) =>
        importRecords(kind.path, {
          query: { table, after: String(after) },
          headers: idempotent(`${key}-${after}`),
        })
      const take = (part: ImportReport) => {
        report = mergeReports(report, part)
        setMade(report)
      }
      try {
        await runInBatches(ask, take, () => stopped.current, made?.next ?? undefined)
      } finally {
        onDone()
      }
      if (!report || !isComplete(report)) return
      void toast(k.imported(validCount(report)), { tone: 'success' })
      if (report.summary.errors === 0) onClose()
    })
  }
  const good = plan ? validCount(plan) : 0
  const isOver = made && isComplete(made)
  return (
    <Dialog
      open
      width="lg"
      // A running import cannot be undone, and its result has to be shown.
      onOpenChange={(open) => !open && busy !== 'doing' && onClose()}
      title={said.title(kind.title)}
      description={said.text}
      footer={
        <>
          {busy === 'doing' ? (
            <Button
              variant="outline"
              onClick={() => {
                stopped.current = true
              }}
            >
              {batchWords.stop}
            </Button>
          ) : (
            <Button
              variant="outline"
              busy={busy === 'looking' && !plan}
              onClick={() => document.getElementById(id)?.click()}
            >
              {crudWords.chooseFile}
            </Button>
          )}
          {isOver ? (
            <Button onClick={onClose}>{ko.action.close}</Button>
          ) : (
            <Button
              busy={busy === 'doing'}
              disabled={!plan || (isComplete(plan) && good === 0)}
              onClick={() => plan && go(plan)}
            >
              {made ? k.goOn : !plan ? k.goNone : isComplete(plan) ? k.go(good) : k.goAll}
            </Button>
          )}
        </>
      }
    >
      {children}
      <input
        id={id}
        type="file"
        accept=".xlsx,.csv,text/csv"
        aria-label={crudWords.chooseFile}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) look(chosen)
        }}
      />
      {failure && <Failure error={failure} />}
      {busy === 'looking' && !plan && (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      )}
      {made ? (
        <ImportResult made={made} kind={kind} />
      ) : (
        plan &&
        file && <Plan plan={plan} kind={kind} name={file.name} isLooking={busy === 'looking'} summary={said.summary} />
      )}
    </Dialog>
  )
}

/** Errors of the file as a whole. */
const Failure = ({ error }: { error: Pick<ApiError, 'message' | 'fields'> }) => (
  <div role="alert" className="mb-3 rounded-md bg-danger-soft px-4 py-3 text-danger">
    {error.fields.length === 0
      ? error.message
      : error.fields.map(({ field, message }) => (
          <p key={field + message}>{field === 'file' ? message : `${field}: ${message}`}</p>
        ))}
  </div>
)

const TONES = { create: 'good', update: 'busy', error: 'bad' } as const

/** Progress of a file of several batches. */
const ImportProgress = ({ report }: { report: ImportReport }) =>
  isComplete(report) ? null : (
    <ProgressBar
      className="mt-2"
      value={report.summary.rows}
      max={report.total}
      label={k.far(report.summary.rows, report.total)}
    />
  )

type PlanProps = {
  plan: ImportReport
  kind: ResourceSchema
  name: string
  isLooking: boolean
  summary: typeof importWords.summary
}

function Plan({ plan, kind, name, isLooking, summary }: PlanProps) {
  return (
    <>
      <p role="status" className="font-semibold">
        {name} · {isComplete(plan) ? summary(plan.summary) : k.soFar(plan.summary, plan.total)}
      </p>
      {isLooking && <ImportProgress report={plan} />}
      {plan.summary.errors > 0 && validCount(plan) > 0 && <p className="mt-1 text-ink-2 text-sm">{k.withErrors}</p>}
      {isComplete(plan) && validCount(plan) === 0 && <p className="mt-1 text-ink-2 text-sm">{k.nothing}</p>}
      <Rows rows={plan.rows} all={plan.summary.rows - plan.summary.unchanged} kind={kind} />
    </>
  )
}

function ImportResult({ made, kind }: { made: ImportReport; kind: ResourceSchema }) {
  const { summary } = made
  return (
    <>
      <p role="status" className="font-semibold">
        {isComplete(made) ? k.left(validCount(made), summary.errors) : k.far(summary.rows, made.total)}
      </p>
      <ImportProgress report={made} />
      {summary.errors > 0 && (
        <Button
          size="sm"
          variant="outline"
          className="mt-3"
          onClick={() => saveFile(errorsFile(kind, made.rows), fileName(k.faults(kind.title), 'csv'))}
        >
          {k.saveFaults}
        </Button>
      )}
      <Rows rows={failedRows(made.rows)} all={summary.errors} kind={kind} />
    </>
  )
}

/** The first rows of `all`. */
function Rows({ rows, all, kind }: { rows: readonly ImportRow[]; all: number; kind: ResourceSchema }) {
  const seen = shownOf(rows)
  if (seen.length === 0) return null
  return (
    <>
      {seen.length < all && <p className="mt-1 text-ink-2 text-sm">{k.shown(seen.length)}</p>}
      <Lines rows={seen} kind={kind} />
    </>
  )
}

function Lines({ rows, kind }: { rows: readonly ImportRow[]; kind: ResourceSchema }) {
  return (
    <table className="mt-3 w-full border-collapse text-sm">
      <thead>
        <tr className="border-line border-b text-left text-ink-2">
          {[k.row, crudWords.action, k.name, k.changes].map((title) => (
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
              <Badge tone={TONES[row.action]}>{k.actions[row.action]}</Badge>
            </td>
            <td className="min-w-20 py-2 pr-3">{row.name ?? '-'}</td>
            <td className="min-w-28 py-2">
              {(row.errors ?? []).length > 0 ? (
                <ul className="text-danger">
                  {row.errors?.map((error) => (
                    <li key={error.field + error.code}>{fieldErrorText(kind, error)}</li>
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

/** A cell as in the file; for an option, its label. */
const cellText = (field: Field | undefined, text: string): string =>
  field?.type === 'enum' || field?.type === 'html' ? formatValue(field, text) : text

/** The changes of a row: `{ field: { from, to } }`, as cell texts. */
function Changes({ kind, changes }: { kind: ResourceSchema; changes: ImportRow['changes'] }) {
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
