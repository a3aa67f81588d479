// The file of an upload: chosen, looked at, and started. Nothing is written before it is started.
import { useEffect, useId, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/errors'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { Failure, Plan } from '../crud/ImportPreview'
import { fileFault, type ImportReport, isComplete, validCount } from '../crud/importReport'
import { importWords } from '../crud/importWords'
import { previewImport } from '../crud/previewImport'
import type { ResourceSchema } from '../crud/schema'
import { type DuplicatePolicy, startUpload } from './api'
import { uploadWords as t } from './words'

export function UploadFile({ kind, onStarted }: { kind: ResourceSchema; onStarted: () => void }) {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [existing, setExisting] = useState<DuplicatePolicy>('update')
  const [plan, setPlan] = useState<ImportReport>()
  const [failure, setFailure] = useState<Pick<ApiError, 'message' | 'fields'>>()
  const [busy, setBusy] = useState<'looking' | 'starting'>()
  /** The current preview: responses to earlier ones are ignored. */
  const turn = useRef<object>(undefined)
  useEffect(
    () => () => {
      turn.current = undefined
    },
    [],
  )

  const look = async (chosen: File, choice: DuplicatePolicy) => {
    const mine = {}
    turn.current = mine
    const isOn = () => turn.current === mine
    setFile(chosen)
    setPlan(undefined)
    setFailure(undefined)
    setBusy(undefined)
    const fault = fileFault(chosen)
    if (fault) return setFailure({ message: fault, fields: [] })
    setBusy('looking')
    try {
      await previewImport(kind.path, chosen, { existing: choice }, (report) => isOn() && setPlan(report), isOn)
    } catch (thrown) {
      if (isOn()) setFailure(toApiError(thrown))
    }
    if (isOn()) setBusy(undefined)
  }
  const start = async () => {
    if (!plan || !file) return
    setBusy('starting')
    setFailure(undefined)
    try {
      await startUpload({ kind: kind.name, table: plan.table, fileName: file.name.slice(-200), existing })
      setFile(undefined)
      setPlan(undefined)
      void toast(t.started, { tone: 'success' })
      onStarted()
    } catch (thrown) {
      setFailure(toApiError(thrown))
    }
    setBusy(undefined)
  }
  const good = plan && isComplete(plan) ? validCount(plan) : 0
  return (
    <Card title={t.fileTitle}>
      <p className="mb-4 text-ink-2">{t.fileText}</p>
      <RadioGroup
        legend={t.existing}
        options={t.choices}
        value={existing}
        look="card"
        onValueChange={(choice) => {
          setExisting(choice)
          if (file) void look(file, choice)
        }}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          variant={plan ? 'outline' : 'primary'}
          busy={busy === 'looking' && !plan}
          onClick={() => document.getElementById(id)?.click()}
        >
          {file ? t.chooseOther : t.choose}
        </Button>
        {plan && (
          <Button busy={busy === 'starting'} disabled={busy === 'looking' || good === 0} onClick={() => void start()}>
            {good > 0 ? t.start(good) : t.startNone}
          </Button>
        )}
      </div>
      <input
        id={id}
        type="file"
        accept=".xlsx,.csv,text/csv"
        aria-label={t.choose}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) void look(chosen, existing)
        }}
      />
      <div className="mt-4 empty:hidden">
        {failure && <Failure error={failure} />}
        {busy === 'looking' && !plan && (
          <Loading>
            <Skeleton className="h-40" />
          </Loading>
        )}
        {plan && file && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
          <section aria-label={t.preview} tabIndex={0} className="max-h-[36rem] overflow-auto">
            <Plan
              plan={plan}
              kind={kind}
              name={file.name}
              isLooking={busy === 'looking'}
              summary={importWords.summary}
            />
          </section>
        )}
      </div>
    </Card>
  )
}
