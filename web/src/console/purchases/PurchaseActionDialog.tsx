// Asks for the parameters of an action, runs it on one or many purchases, and shows the result of each. Refunds are shown
// before they are confirmed.
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { toApiError } from '../../api/errors'
import type { ClaimParcel } from '../../api/types'
import { useAskedClose } from '../../features/forms/unsaved'
import { useSetting } from '../../features/settings/api'
import { ko } from '../../i18n/ko'
import { formatMoney } from '../../lib/money'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import { batchWords } from '../crud/batchWords'
import { InnerForm } from '../crud/CommandDialog'
import type { Matching } from '../crud/ResourceTable'
import type { Action } from '../types'
import { FeeDialog } from './FeeDialog'
import { Invoices } from './Invoices'
import { followRefunds, invalidateOrder } from './invalidateOrder'
import {
  actOnAll,
  actOnMatching,
  asksReason,
  giveAllBack,
  givesBack,
  isOfOne,
  isRefundedLater,
  type OneAction,
  type Outcome,
  opensClaim,
  parcelOf,
} from './purchaseActions'
import { Refunds, useRefunds } from './Refunds'
import { actionText, purchaseWords } from './words'

/** A dialog that cannot be loaded closes, and shows the error. */
const closes = {
  onFail: ({ onClose }: { onClose: () => void }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
}

// Rarely used: each is loaded when first opened.
const ClaimDialog = optional(() => import('./ClaimDialog'), closes)
const InspectDialog = optional(() => import('./InspectDialog'), closes)

/** A purchase an action applies to. */
export type PurchaseSelection = {
  purchaseNo: string
  _order: string
  name: string
  optionName?: string | null
  courier?: string | null
  invoiceNo?: string | null
  /** State of the goods of its return or exchange. */
  collectionStatus?: string
  /** The parcel of its claim that the action corrects. */
  claimParcel?: ClaimParcel | null
}

type PurchaseActionDialogProps = {
  action: Action
  rows: readonly PurchaseSelection[]
  /** The goods the action applies to, if more than the row's own. */
  about?: string
  /** All matching purchases instead of `rows`. */
  all?: { matching: Matching; count: number }
  onClose: () => void
  /** Called after every row was tried. */
  onDone?: (outcomes: Outcome[]) => void
}

const t = batchWords

export function PurchaseActionDialog(props: PurchaseActionDialogProps) {
  const [row] = props.rows
  const { action, ...given } = props
  if (!isOfOne(action)) return <BatchDialog {...given} action={action} />
  if (!row) return null
  if (opensClaim(action)) return <ClaimDialog action={action} row={row} onClose={props.onClose} onDone={props.onDone} />
  // Goods and fee differ by claim.
  const OneDialog = action === 'inspectGoods' ? InspectDialog : FeeDialog
  return <OneDialog row={row} onClose={props.onClose} onDone={props.onDone} />
}

type BatchDialogProps = Omit<PurchaseActionDialogProps, 'action'> & { action: Exclude<Action, OneAction> }

function BatchDialog({ action, rows, about, all, onClose, onDone }: BatchDialogProps) {
  const client = useQueryClient()
  const id = useId()
  const [reason, setReason] = useState('')
  const given = parcelsOf(action, rows)
  const [courier, setCourier] = useState(given.courier)
  const [invoices, setInvoices] = useState(given.numbers)
  const [attempt, setAttempt] = useState(0)
  /** The result of each tried row; the latest if it was retried. */
  const [outcomes, setOutcomes] = useState<Outcome[]>()
  const [running, setRunning] = useState(false)
  const [broken, setBroken] = useState<string>()
  const started = useRef(false)
  const stopped = useRef(false)

  const count = all?.count ?? rows.length
  const called = actionText(action, rows[0])
  const refusals = new Map(outcomes?.flatMap(({ purchaseNo, refusal }) => (refusal ? [[purchaseNo, refusal]] : [])))
  const done = new Set(outcomes?.flatMap(({ purchaseNo, refusal }) => (refusal ? [] : [purchaseNo])))
  const left = rows.filter(({ purchaseNo }) => !done.has(purchaseNo))
  const refunds = useRefunds(
    givesBack(action) ? { action, purchaseNos: left.map(({ purchaseNo }) => purchaseNo) } : undefined,
  )
  const needsParcel = (row: PurchaseSelection) => parcelOf(action, row) === 'required'
  const parcels = left.filter((row) => parcelOf(action, row))
  // Actions on all matching rows, and refunds, always ask for confirmation.
  const asks = all !== undefined || parcels.length > 0 || asksReason(action) || givesBack(action)
  const reasonError = asksReason(action) && reason.trim().length < 2 ? t.reasonMissing : undefined
  const numberOf = (row: PurchaseSelection) => invoices[row.purchaseNo]?.trim() || undefined
  const usesCourier = parcels.some((row) => needsParcel(row) || numberOf(row))
  const courierError = usesCourier && courier === '' ? t.courierMissing : undefined
  const { couriers = [] } = useSetting()
  const isNumbered = couriers.find(({ code }) => code === courier)?.numbered !== false
  const missing = (row: PurchaseSelection) =>
    needsParcel(row) && isNumbered && !numberOf(row) ? t.invoiceMissing : undefined
  const reckoned = !givesBack(action) || (!refunds.isFetching && refunds.data && refunds.data.refunds.length > 0)
  const sound = reckoned && !reasonError && !courierError && left.every((row) => !missing(row))

  const run = async () => {
    if (running) return
    if (!sound) return setAttempt(attempt + 1)
    setRunning(true)
    const said = { reason: reason.trim() || undefined }
    const targets = left.map((row) => {
      const invoiceNo = isNumbered ? numberOf(row) : ''
      const sends = parcelOf(action, row) && courier && invoiceNo !== undefined
      return { purchaseNo: row.purchaseNo, said: { ...said, ...(sends && { courier, invoiceNo }) } }
    })
    // Earlier successes are kept.
    const before = outcomes?.filter(({ refusal }) => !refusal) ?? []
    const tell = (told: readonly Outcome[]) => setOutcomes([...before, ...told])
    try {
      const ended = await (givesBack(action)
        ? giveAllBack(action, refunds.data, said.reason, tell)
        : all
          ? actOnMatching(action, all.matching, said, setOutcomes, () => stopped.current)
          : actOnAll(action, targets, tell))
      onDone?.(ended)
      if (ended.every((outcome) => outcome.refusal === undefined)) {
        void toast(`${called} ${t.summary(before.length + ended.length, 0)}`, { tone: 'success' })
        onClose()
      }
    } catch (thrown) {
      setBroken(toApiError(thrown).message)
      setOutcomes((told) => told ?? [])
    } finally {
      setRunning(false)
      setAttempt(attempt + 1)
      void invalidateOrder(client)
      if (isRefundedLater(action)) followRefunds(client)
    }
  }

  // After each attempt the first invalid field gets the focus.
  useLayoutEffect(() => {
    if (attempt > 0) document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt, id])

  // Actions without parameters start at once; the dialog only shows progress.
  useEffect(() => {
    if (asks || started.current) return
    started.current = true
    void run()
  })

  const isTyped =
    reason !== '' || courier !== given.courier || left.some(({ purchaseNo: no }) => invoices[no] !== given.numbers[no])
  const close = useAskedClose(isTyped && left.length > 0, onClose)

  const finished = outcomes !== undefined && !running
  // Refused rows can be corrected and retried; so can the shared parameters.
  const isForm = asks && (outcomes === undefined || (!all && left.length > 0))
  const tellsAtField = (no: string) => rows.some((row) => row.purchaseNo === no && needsParcel(row))
  const ended = (outcomes ?? []).filter(({ purchaseNo, refusal }) =>
    all ? refusal : !refusal || !tellsAtField(purchaseNo),
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !running && void close()}
      title={finished && !isForm ? t.title : called}
      description={
        outcomes === undefined
          ? all
            ? t.askAll(count)
            : count > 1
              ? `${count}개 선택`
              : (about ?? rows[0]?.name)
          : running
            ? t.running(outcomes.length, count)
            : t.summary(outcomes.length - refusals.size, refusals.size)
      }
      footer={
        isForm ? (
          <>
            <Button variant="outline" disabled={running} onClick={() => void close()}>
              {ko.action.close}
            </Button>
            <Button
              type="submit"
              form={id}
              variant={action === 'cancel' ? 'danger' : 'primary'}
              busy={running}
              disabled={!reckoned}
            >
              {refunds.data && refunds.data.sums.refund > 0
                ? t.refundAnd(formatMoney(refunds.data.sums.refund), called)
                : called}
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
      {isForm && (
        <InnerForm id={id} onSubmit={() => void run()}>
          {givesBack(action) && <Refunds read={refunds} />}
          {asksReason(action) && (
            <Field label={t.reason} hint={t.reasonHint} error={attempt > 0 ? reasonError : undefined} required>
              <Textarea
                rows={3}
                maxLength={1000}
                value={reason}
                disabled={running}
                onChange={(event) => setReason(event.target.value)}
              />
            </Field>
          )}
          {parcels.length > 0 && (
            <Invoices
              rows={parcels}
              lead={LEADS[action]}
              optional={!parcels.some(needsParcel)}
              several={rows.length > 1}
              isNumbered={isNumbered}
              courier={courier}
              onCourier={setCourier}
              courierError={attempt > 0 ? courierError : undefined}
              invoices={invoices}
              onInvoice={(no, text) => setInvoices({ ...invoices, [no]: text })}
              invoiceError={(row) =>
                attempt > 0
                  ? (missing(row) ?? (needsParcel(row) ? refusals.get(row.purchaseNo) : undefined))
                  : undefined
              }
              disabled={running}
            />
          )}
        </InnerForm>
      )}
      {broken && (
        <p role="alert" className="text-danger">
          {broken}
        </p>
      )}
      {/* For many rows only the failures are listed. */}
      {ended.length > 0 && <Results rows={rows} outcomes={ended} />}
    </Dialog>
  )
}

const LEADS: Partial<Record<Action, string>> = {
  pickUpGoods: purchaseWords.pickUp,
  rejectReturn: purchaseWords.sendBack,
  rejectExchange: purchaseWords.sendBackExchange,
  shipReplacement: purchaseWords.sendReplacement,
}

/** The known parcels, if the action is about those. */
function parcelsOf(action: Action, rows: readonly PurchaseSelection[]): Parcels {
  const known = (row: PurchaseSelection) =>
    row.claimParcel ?? (action === 'ship' || action === 'correctInvoice' ? row : undefined)
  return {
    courier: rows.map((row) => known(row)?.courier).find(Boolean) ?? '',
    numbers: Object.fromEntries(rows.map((row) => [row.purchaseNo, known(row)?.invoiceNo ?? ''])),
  }
}

type Parcels = { courier: string; numbers: Record<string, string> }

function Results({ rows, outcomes }: { rows: readonly PurchaseSelection[]; outcomes: readonly Outcome[] }) {
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
