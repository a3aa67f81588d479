// Import of records from a file: a preview row by row, then the import itself. A file is sent once and processed in batches, with
// progress; a stopped or failed import continues where it was.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/errors'
import { idempotent, useIdempotencyKey } from '../../api/idempotency'
import { ko } from '../../i18n/ko'
import { fileName, saveFile } from '../../lib/files'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { importRecords } from './api'
import { runInBatches } from './batch'
import { batchWords } from './batchWords'
import { Failure, ImportProgress, Plan, Rows } from './ImportPreview'
import {
  errorsFile,
  failedRows,
  fileFault,
  type ImportReport,
  isComplete,
  mergeReports,
  validCount,
} from './importReport'
import { importWords } from './importWords'
import { previewImport } from './previewImport'
import type { ResourceSchema } from './schema'
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
    const fault = fileFault(chosen)
    if (fault) return setFailure({ message: fault, fields: [] })
    void during('looking', (isOn) =>
      previewImport(kind.path, chosen, query, (report) => isOn() && setPlan(report), isOn),
    )
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
