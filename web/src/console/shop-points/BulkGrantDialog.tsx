// Grants points or a coupon to many members: first it is counted who receives them, then they are granted.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { useIdempotentSend } from '../../api/sendOnce'
import { useForm } from '../../features/forms/useForm'
import { formatMoney } from '../../lib/money'
import { RadioGroup } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Notice } from '../../ui/Notice'
import { toast } from '../../ui/toast'
import { LastDayField, lastDayFault, MemoField, memoFault } from '../benefits/fields'
import { Receivers } from '../benefits/Receivers'
import { NO_RECEIVERS, type ReceiversValue, receiversBody, receiversFault, unknownMembers } from '../benefits/receivers'
import type { BulkGrantTrial, CouponGrantTrial } from '../benefits/types'
import { benefitWords } from '../benefits/words'
import { CommandDialog } from '../crud/CommandDialog'
import { ReferenceInput } from '../crud/inputs/ReferenceInput'
import { userCouponWords } from '../user-coupons/words'
import { type AmountEntry, AmountField, amountFault, amountOf } from '../user-points/commands'
import { BULK_GRANTS, COUPON_GRANTS, type GrantKind, invalidateBulkGrants } from './api'
import { bulkWords as t } from './words'

type Values = {
  kind: GrantKind
  receivers: ReceiversValue
  amounts: AmountEntry
  _coupon: string
  memo: string
  expiresAt: string
}
const START: Omit<Values, 'kind'> = { receivers: NO_RECEIVERS, amounts: null, _coupon: '', memo: '', expiresAt: '' }

/** An order of one kind: what is sent, and what it would give. */
function orderOf({ kind, receivers, amounts, _coupon, memo, expiresAt }: Values) {
  const common = { ...receiversBody(receivers), memo: memo.trim() }
  if (kind === 'coupons') {
    const body = { ...common, _coupon }
    return {
      body,
      count: async (): Promise<Trial | undefined> => {
        const { preview } = await call('POST', COUPON_GRANTS, { query: { dryRun: true }, body })
        return preview
      },
      send: async (headers: Headers): Promise<unknown> => call('POST', COUPON_GRANTS, { body, headers }),
    }
  }
  const body = { ...common, amounts: amountOf(amounts), ...(expiresAt !== '' && { expiresAt }) }
  return {
    body,
    count: async (): Promise<Trial | undefined> => {
      const { preview } = await call('POST', BULK_GRANTS, { query: { dryRun: true }, body })
      return preview
    },
    send: async (headers: Headers): Promise<unknown> => call('POST', BULK_GRANTS, { body, headers }),
  }
}

type Headers = Record<string, string>
type Trial = BulkGrantTrial | CouponGrantTrial
type ReachCount = { of: string; trial: Trial }

type DialogProps = { kind: GrantKind; coupon?: string; onClose: () => void }

export function BulkGrantDialog({ kind, coupon = '', onClose }: DialogProps) {
  const client = useQueryClient()
  const sendOnce = useIdempotentSend()
  /** What was counted, and of which body: another one is counted first. */
  const [counted, setCounted] = useState<ReachCount>()
  const form = useForm<Values>({
    initial: { kind, ...START, _coupon: coupon },
    check: ({ kind, receivers, amounts, _coupon, memo, expiresAt }) => ({
      receivers: receiversFault(receivers),
      ...(kind === 'coupons'
        ? { _coupon: _coupon === '' ? userCouponWords.couponMissing : undefined }
        : { amounts: amountFault(amounts), expiresAt: lastDayFault(expiresAt, { optional: true }) }),
      memo: memoFault(memo),
    }),
    send: async (values) => {
      const order = orderOf(values)
      const of = JSON.stringify(order.body)
      if (counted?.of !== of) {
        const trial = await order.count()
        return setCounted(trial && { of, trial })
      }
      await sendOnce(order.body, order.send)
      void toast(t.started(counted.trial.members), { tone: 'success' })
      void invalidateBulkGrants(client)
      onClose()
    },
    // Where members are unknown, the list of them says it.
    refused: (error) => (error.code === 'unknown_members' ? {} : undefined),
  })
  const { values, errors, refusal } = form
  const current = counted?.of === JSON.stringify(orderOf(values).body) ? counted.trial : undefined
  const unknown = refusal ? unknownMembers(refusal) : []
  return (
    <CommandDialog
      title={t.give}
      description={t.giveLead}
      form={form}
      submit={current ? t.send(reached(current)) : t.count}
      disabled={current?.members === 0}
      onClose={onClose}
    >
      <RadioGroup
        legend={t.benefit}
        options={[
          { value: 'points' as const, label: t.tabs.points },
          { value: 'coupons' as const, label: t.tabs.coupons },
        ]}
        value={values.kind}
        onValueChange={(kind) => form.set({ kind })}
      />
      <Receivers
        value={values.receivers}
        onValueChange={(receivers) => form.set({ receivers })}
        error={errors.receivers ?? errors.usernames ?? errors.levels ?? errors._users}
        unknown={unknown}
      />
      {values.kind === 'coupons' ? (
        <Field label={userCouponWords.coupon} hint={t.couponHint} required error={errors._coupon}>
          <ReferenceInput
            kind="coupon"
            value={values._coupon}
            required
            onValueChange={(_coupon) => form.set({ _coupon })}
          />
        </Field>
      ) : (
        <AmountField
          label={benefitWords.amountEach}
          error={errors.amounts}
          value={values.amounts}
          onValueChange={(amounts) => form.set({ amounts })}
        />
      )}
      <MemoField error={errors.memo} {...form.text('memo')} />
      {values.kind === 'points' && <LastDayField error={errors.expiresAt} optional {...form.text('expiresAt')} />}
      {current && (
        <div aria-live="polite">
          <TrialNotice trial={current} />
        </div>
      )}
    </CommandDialog>
  )
}

/** How many of the receivers get something: the limits of a coupon may leave some out. */
const reached = (trial: Trial): number =>
  'couponName' in trial ? Math.min(trial.members, trial.membersLeft ?? trial.members) : trial.members

function TrialNotice({ trial }: { trial: Trial }) {
  if (trial.members === 0) return <Notice tone="warning">{t.nobody}</Notice>
  if (!('couponName' in trial))
    return (
      <Notice tone="info">
        {t.summary(trial.members, formatMoney(trial.amounts), formatMoney(trial.amount_total))}
      </Notice>
    )
  const some = reached(trial)
  const without = trial.members - some
  return (
    <Notice tone={without > 0 ? 'warning' : 'info'}>
      <p>{t.couponSummary(some, trial.couponName, trial.count)}</p>
      {without > 0 && <p>{t.couponShort(some, without)}</p>}
      {trial.amount_most != null && <p>{t.couponMost(formatMoney(trial.amount_most))}</p>}
    </Notice>
  )
}
