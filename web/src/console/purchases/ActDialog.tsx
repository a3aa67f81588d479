// Asks what an action needs to know, does it to one or many purchases, and tells how each of them ended. What gives money back says
// how much before it is confirmed.
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { toApiError } from '../../api/errors'
import { useSetting } from '../../api/setting'
import { ko } from '../../i18n/ko'
import { formatMoney } from '../../lib/money'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Input, Select, Textarea } from '../../ui/Input'
import { toast } from '../../ui/toast'
import type { Matching } from '../kit/KindList'
import type { Action } from '../wire'
import { words } from '../words'
import { actOnAll, actOnMatching, asksInvoice, asksReason, giveAllBack, givesBack, type Outcome } from './acts'
import { Refunds, useRefunds } from './Refunds'
import { orderChanged } from './touched'

/** A purchase an action is meant for. */
export type Chosen = {
  purchaseNo: string
  name: string
  optionName?: string | null
  courier?: string | null
  invoiceNo?: string | null
}

type ActDialogProps = {
  action: Action
  rows: readonly Chosen[]
  /** Not those, but all that match. */
  all?: { matching: Matching; count: number }
  onClose: () => void
  /** Every row was tried. */
  onDone?: (outcomes: Outcome[]) => void
}

const t = words.bulk

export function ActDialog({ action, rows, all, onClose, onDone }: ActDialogProps) {
  const client = useQueryClient()
  const { couriers = [] } = useSetting()
  const [reason, setReason] = useState('')
  const [courier, setCourier] = useState(rows[0]?.courier ?? '')
  const [invoices, setInvoices] = useState<Record<string, string>>(
    Object.fromEntries(rows.map((row) => [row.purchaseNo, row.invoiceNo ?? ''])),
  )
  const [checked, setChecked] = useState(false)
  const [outcomes, setOutcomes] = useState<Outcome[]>()
  const [running, setRunning] = useState(false)
  const [broken, setBroken] = useState<string>()
  const started = useRef(false)
  const stopped = useRef(false)

  const invoice = asksInvoice(action)
  const count = all?.count ?? rows.length
  const refunds = useRefunds(
    action,
    rows.map(({ purchaseNo }) => purchaseNo),
  )
  // What nobody has looked at one by one is asked about in any case, and so is giving money back.
  const asks = all !== undefined || invoice || asksReason(action) || givesBack(action)
  const reasonError = asksReason(action) && reason.trim().length < 2 ? t.reasonMissing : undefined
  const courierError = invoice && courier === '' ? t.courierMissing : undefined
  const invoiceError = (no: string) => (invoice && !invoices[no]?.trim() ? t.invoiceMissing : undefined)
  const reckoned = !givesBack(action) || (!refunds.isFetching && refunds.data && refunds.data.refunds.length > 0)
  const sound = reckoned && !reasonError && !courierError && rows.every((row) => !invoiceError(row.purchaseNo))

  const run = async () => {
    setChecked(true)
    if (!sound || running) return
    setRunning(true)
    const said = { reason: reason.trim() || undefined, courier }
    const targets = rows.map(({ purchaseNo }) => ({
      purchaseNo,
      said: { ...said, invoiceNo: invoices[purchaseNo]?.trim() },
    }))
    try {
      const ended = await (givesBack(action)
        ? giveAllBack(action, refunds.data, said.reason, setOutcomes)
        : all
          ? actOnMatching(action, all.matching, said, setOutcomes, () => stopped.current)
          : actOnAll(action, targets, setOutcomes))
      onDone?.(ended)
      if (ended.every((outcome) => outcome.refusal === undefined)) {
        void toast(`${words.action[action]} ${t.summary(ended.length, 0)}`, { tone: 'success' })
        onClose()
      }
    } catch (thrown) {
      setBroken(toApiError(thrown).message)
      setOutcomes((told) => told ?? [])
    } finally {
      setRunning(false)
      void orderChanged(client)
    }
  }

  // What needs no answer starts at once; the dialog only shows how it goes.
  useEffect(() => {
    if (asks || started.current) return
    started.current = true
    void run()
  })

  const refused = outcomes?.filter((outcome) => outcome.refusal !== undefined).length ?? 0
  const finished = outcomes !== undefined && !running
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !running && onClose()}
      title={finished ? t.title : (words.action[action] ?? action)}
      text={
        outcomes === undefined
          ? all
            ? t.askAll(count)
            : count > 1
              ? ko.table.selected(count)
              : rows[0]?.name
          : running
            ? t.running(outcomes.length, count)
            : t.summary(outcomes.length - refused, refused)
      }
      actions={
        outcomes === undefined && asks ? (
          <>
            <Button variant="outline" onClick={onClose}>
              {ko.action.cancel}
            </Button>
            <Button
              variant={action === 'cancel' ? 'danger' : 'primary'}
              busy={running}
              disabled={!reckoned}
              onClick={() => void run()}
            >
              {refunds.data && refunds.data.sums.refund > 0
                ? t.refundAnd(formatMoney(refunds.data.sums.refund), words.action[action] ?? action)
                : words.action[action]}
            </Button>
          </>
        ) : running && all ? (
          <Button
            variant="outline"
            onClick={() => {
              stopped.current = true
            }}
          >
            {t.stop}
          </Button>
        ) : (
          <Button variant="outline" disabled={running} onClick={onClose}>
            {ko.action.close}
          </Button>
        )
      }
    >
      {outcomes === undefined ? (
        <div className="grid gap-4">
          {givesBack(action) && <Refunds read={refunds} />}
          {asksReason(action) && (
            <Field label={t.reason} hint={t.reasonHint} error={checked ? reasonError : undefined} required>
              <Textarea rows={3} maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />
            </Field>
          )}
          {invoice && (
            <Invoices
              rows={rows}
              couriers={couriers}
              courier={courier}
              onCourier={setCourier}
              courierError={checked ? courierError : undefined}
              invoices={invoices}
              onInvoice={(no, text) => setInvoices({ ...invoices, [no]: text })}
              invoiceError={(no) => (checked ? invoiceError(no) : undefined)}
            />
          )}
        </div>
      ) : (
        <>
          {broken && (
            <p role="alert" className="font-semibold text-danger">
              {broken}
            </p>
          )}
          {/* Of so many only those that need somebody. */}
          <Results rows={rows} outcomes={all ? outcomes.filter(({ refusal }) => refusal !== undefined) : outcomes} />
        </>
      )}
    </Dialog>
  )
}

type InvoicesProps = {
  rows: readonly Chosen[]
  couriers: readonly { code: string; name: string }[]
  courier: string
  onCourier: (code: string) => void
  courierError?: string
  invoices: Record<string, string>
  onInvoice: (purchaseNo: string, text: string) => void
  invoiceError: (purchaseNo: string) => string | undefined
}

function Invoices(props: InvoicesProps) {
  const { rows, couriers, courier, onCourier, courierError, invoices, onInvoice, invoiceError } = props
  return (
    <>
      <Field label={t.courier} error={courierError} required>
        <Select
          placeholder={t.courierMissing}
          options={couriers.map(({ code, name }) => ({ value: code, label: name }))}
          value={courier}
          onChange={(event) => onCourier(event.target.value)}
        />
      </Field>
      {rows.map((row) => (
        <Field
          key={row.purchaseNo}
          label={rows.length > 1 ? `${t.invoiceNo} · ${row.purchaseNo}` : t.invoiceNo}
          hint={rows.length > 1 ? [row.name, row.optionName].filter(Boolean).join(' · ') : undefined}
          error={invoiceError(row.purchaseNo)}
          required
        >
          <Input
            inputMode="numeric"
            maxLength={40}
            value={invoices[row.purchaseNo] ?? ''}
            onChange={(event) => onInvoice(row.purchaseNo, event.target.value)}
          />
        </Field>
      ))}
    </>
  )
}

function Results({ rows, outcomes }: { rows: readonly Chosen[]; outcomes: readonly Outcome[] }) {
  const nameOf = (no: string) => rows.find((row) => row.purchaseNo === no)?.name
  return (
    <ul aria-live="polite" className="divide-y divide-line">
      {outcomes.map(({ purchaseNo, refusal }) => (
        <li key={purchaseNo} className="flex gap-3 py-3">
          {refusal === undefined ? (
            <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
          ) : (
            <CircleX aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
          )}
          <div className="min-w-0">
            <p>
              <span className="figures font-semibold">{purchaseNo}</span>{' '}
              <span className="text-ink-2">{nameOf(purchaseNo)}</span>
            </p>
            <p className={refusal === undefined ? 'text-ink-3 text-sm' : 'text-danger text-sm'}>
              {refusal === undefined ? t.done : `${t.refused}: ${refusal}`}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
