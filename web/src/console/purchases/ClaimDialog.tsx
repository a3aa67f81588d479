// Staff open a return or exchange at the buyer's request: quantity, reason, fault, and for a return the refund.
import { useState } from 'react'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { differenceText } from '../../features/claims/difference'
import { claimWords, goodsText } from '../../features/claims/words'
import { sumsOf } from '../../features/refunds/Refund'
import { formatMoney } from '../../lib/money'
import { Facts } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { Notice } from '../../ui/Notice'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { CommandDialog } from '../crud/CommandDialog'
import type { ExchangeChoices, Fault } from '../types'
import { claimDialogWords } from './claimDialogWords'
import { PiecesField } from './PiecesField'
import { type ClaimAction, type Outcome, runAction } from './purchaseActions'
import { Refunds, useRefunds } from './Refunds'
import { useOrderCommand } from './useOrderCommand'
import { actionText } from './words'

const t = claimDialogWords
const FAULTS = ['SELLER', 'BUYER'] as const
const REASON_MOST = 1000

type ClaimDialogProps = {
  action: ClaimAction
  row: { purchaseNo: string; _order: string }
  onClose: () => void
  onDone?: (outcomes: Outcome[]) => void
}

/** No quantity means all pieces, no option the same goods. */
type Values = { quantity: number; reason: string; fault: Fault | ''; option: string }
const EMPTY: Values = { quantity: 0, reason: '', fault: '', option: '' }

/** Loads the order first, for the quantity and whether the purchases are confirmed. */
export default function ClaimDialog({ action, row, onClose, onDone }: ClaimDialogProps) {
  const { purchaseNo } = row
  const isReturn = action === 'requestReturn'
  const read = useApiQuery('/api/console/shop/orders/{id}', { path: { id: row._order } })
  const purchase = read.data?.order.purchases.find((one) => one.purchaseNo === purchaseNo)
  const pieces = purchase?.quantity ?? 0
  const choices = useApiQuery(
    '/api/console/shop/purchases/{purchaseNo}/exchange',
    { path: { purchaseNo } },
    { enabled: !isReturn, staleTime: 0, gcTime: 0 },
  )
  const [values, setValues] = useState<Values>(EMPTY)
  const { reason, fault, option } = values
  const count = values.quantity || pieces
  const wish = fault &&
    count > 0 && { action: 'requestReturn' as const, purchaseNos: [purchaseNo], quantity: count, fault }
  const refunds = useRefunds((isReturn && wish) || undefined)
  const preview = refunds.data?.refunds[0]?.preview
  const replacement = chosen(choices.data, count, option)
  const form = useOrderCommand<Values, unknown>({
    initial: EMPTY,
    store: [values, (part) => setValues((now) => ({ ...now, ...part }))],
    check: () => ({
      reason: reason.trim().length < 2 ? t.missing.reason : undefined,
      fault: fault ? undefined : t.missing.fault,
      _option: isReturn || replacement ? undefined : t.missing.option,
    }),
    fields: ['quantity', '_option'],
    disabled: !purchase,
    send: () => {
      const exchange = { _option: replacement?._id, difference: replacement?.difference }
      const claim = { quantity: count, fault: fault || ('SELLER' as const), ...(isReturn ? {} : exchange) }
      const shown = preview && sumsOf(preview)
      return runAction(action, { purchaseNo }, { reason: reason.trim(), claim, shown }).catch((thrown: unknown) => {
        // The refund preview, or the options, are outdated.
        if (isReturn) void refunds.refetch()
        else void choices.refetch()
        throw thrown
      })
    },
    done: t.done[action],
    onSent: () => {
      onDone?.([{ purchaseNo }])
      onClose()
    },
  })
  return (
    <CommandDialog
      title={actionText(action)}
      description={t.lead}
      form={form}
      read={read}
      submit={actionText(action)}
      disabled={refunds.isFetching}
      className="gap-5"
      onClose={onClose}
    >
      {purchase && (
        <>
          <Facts
            className="rounded-md bg-sunken p-4 text-sm"
            rows={[{ name: goodsText(purchase), value: purchase.purchaseNo }]}
          />
          {purchase.purchaseStatus === 'PURCHASE_COMPLETE' && isReturn && <Notice tone="warning">{t.confirmed}</Notice>}
          {pieces > 1 && (
            <PiecesField
              label={t.pieces}
              value={count}
              min={1}
              max={pieces}
              onValueChange={(quantity) => form.set({ quantity })}
              error={form.errors.quantity}
            />
          )}
          <Field label={t.reason} hint={t.reasonHint} error={form.errors.reason} required>
            <Textarea rows={3} maxLength={REASON_MOST} {...form.text('reason')} />
          </Field>
          <RadioGroup
            legend={t.fault}
            options={FAULTS.map((value) => ({ value, label: claimWords.fault[value] }))}
            value={fault || undefined}
            onValueChange={(chosen) => form.set({ fault: chosen })}
            error={form.errors.fault}
          />
          {!isReturn &&
            (choices.data ? (
              <Choices
                choices={choices.data}
                count={count}
                value={option}
                onValueChange={(option) => form.set({ option })}
                error={form.errors._option}
              />
            ) : choices.error ? (
              <ErrorState error={toApiError(choices.error)} onRetry={() => void choices.refetch()} className="py-6" />
            ) : (
              <Loading>
                <Skeleton className="h-24" />
              </Loading>
            ))}
          {isReturn && wish && <Refunds read={refunds} />}
        </>
      )}
    </CommandDialog>
  )
}

const idOf = ({ _id }: { _id?: string | null }): string => _id ?? ''

/** The chosen option, if enough of it are in stock; the same goods by default. */
function chosen(choices: ExchangeChoices | undefined, count: number, option: string) {
  const there = choices?.choices.filter(({ available }) => available >= count) ?? []
  return option ? there.find((one) => idOf(one) === option) : there.find(({ ordered }) => ordered)
}

type ChoicesProps = {
  choices: ExchangeChoices
  count: number
  value: string
  onValueChange: (option: string) => void
  error: string | undefined
}

function Choices({ choices, count, value, onValueChange, error }: ChoicesProps) {
  const there = choices.choices.filter(({ available }) => available >= count)
  const now = chosen(choices, count, value)
  return (
    <div>
      {there.length === 0 ? (
        <p role="alert" className="text-danger text-sm">
          {t.none}
        </p>
      ) : (
        <RadioGroup
          legend={t.replacement}
          options={there.map((one) => ({
            value: idOf(one),
            label: [one.name ?? t.same, differenceText(one.difference, count), t.left(one.available)]
              .filter(Boolean)
              .join(' · '),
          }))}
          value={now && idOf(now)}
          onValueChange={onValueChange}
          error={error}
        />
      )}
      {choices.fee > 0 && <p className="mt-1.5 text-ink-3 text-sm">{t.fee(formatMoney(choices.fee))}</p>}
    </div>
  )
}
