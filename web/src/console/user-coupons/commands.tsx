// What staff do to coupons of members: give some, take one back or undo that, and change until when one can be used.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { invalidator } from '../../api/query'
import { useIdempotentSend } from '../../api/sendOnce'
import { useForm } from '../../features/forms/useForm'
import { formatDate, lastMoment } from '../../lib/date'
import { Field } from '../../ui/Field'
import { toast } from '../../ui/toast'
import { LastDayField, lastDayFault, lastDayOf, MemoField, memoFault, nameOf } from '../benefits/fields'
import type { UserCoupon } from '../benefits/types'
import { benefitWords } from '../benefits/words'
import { CommandDialog } from '../crud/CommandDialog'
import { ReferenceInput } from '../crud/inputs/ReferenceInput'
import { UNDO_MS } from '../crud/undoableDelete'
import { userCouponWords as t } from './words'

export const USER_COUPONS = '/api/console/users/coupons'
export const USER_COUPON = '/api/console/users/coupons/{id}'

export const invalidateUserCoupons = invalidator([
  USER_COUPONS,
  USER_COUPON,
  '/api/console/shop/coupons/statistics',
  '/api/console/shop/coupons/{id}/statistics',
])

/** Undoes that it was taken back. */
export async function bringBack(client: QueryClient, { _id }: UserCoupon): Promise<void> {
  try {
    await call('PUT', USER_COUPON, { path: { id: _id }, body: { taken: false, memo: t.undoMemo } })
    void toast(t.broughtBack, { tone: 'success' })
  } catch (thrown) {
    void toast(toApiError(thrown).told, { tone: 'error' })
  }
  void invalidateUserCoupons(client)
}

export function GiveDialog({
  coupon = '',
  user = '',
  onClose,
}: {
  coupon?: string
  user?: string
  onClose: () => void
}) {
  const client = useQueryClient()
  const sendOnce = useIdempotentSend()
  const form = useForm({
    initial: { _coupon: coupon, _user: user, memo: '' },
    check: ({ _coupon, _user, memo }) => ({
      _coupon: _coupon === '' ? t.couponMissing : undefined,
      _user: _user === '' ? benefitWords.memberMissing : undefined,
      memo: memoFault(memo),
    }),
    send: ({ _coupon, _user, memo }) => {
      const body = { _coupon, _user, memo: memo.trim() }
      return sendOnce(body, (headers) => call('POST', USER_COUPONS, { body, headers }))
    },
    onSent: () => {
      void toast(t.given, { tone: 'success' })
      onClose()
      return invalidateUserCoupons(client)
    },
  })
  const { values, errors } = form
  return (
    <CommandDialog title={t.give} description={t.giveLead} form={form} submit={t.give} onClose={onClose}>
      <Field label={t.coupon} required error={errors._coupon}>
        <ReferenceInput
          kind="coupon"
          value={values._coupon}
          required
          onValueChange={(_coupon) => form.set({ _coupon })}
        />
      </Field>
      <Field label={benefitWords.member} required error={errors._user}>
        <ReferenceInput kind="member" value={values._user} required onValueChange={(_user) => form.set({ _user })} />
      </Field>
      <MemoField error={errors.memo} {...form.text('memo')} />
    </CommandDialog>
  )
}

type OfCoupon = { coupon: UserCoupon; onClose: () => void }

export function TakeDialog({ coupon, onClose }: OfCoupon) {
  const client = useQueryClient()
  const form = useForm({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: async ({ memo }) => {
      try {
        await call('DELETE', USER_COUPON, { path: { id: coupon._id }, query: { memo: memo.trim() } })
      } finally {
        // One that was used meanwhile is refused, and shown so.
        void invalidateUserCoupons(client)
      }
    },
    onSent: () => {
      void toast(t.taken(coupon.couponName), {
        duration: UNDO_MS,
        action: { label: t.undo, onClick: () => void bringBack(client, coupon) },
      })
      onClose()
    },
  })
  return (
    <CommandDialog
      title={t.takeTitle}
      description={t.takeLead(nameOf(coupon), coupon.couponName)}
      width="sm"
      form={form}
      submit={t.take}
      onClose={onClose}
    >
      <MemoField error={form.errors.memo} {...form.text('memo')} />
    </CommandDialog>
  )
}

export function LastDayDialog({ coupon, onClose }: OfCoupon) {
  const client = useQueryClient()
  const form = useForm({
    initial: { endsAt: coupon.endsAt ? lastDayOf(coupon.endsAt) : '', memo: '' },
    check: ({ endsAt, memo }) => ({ endsAt: lastDayFault(endsAt), memo: memoFault(memo) }),
    send: ({ endsAt, memo }) =>
      call('PUT', USER_COUPON, { path: { id: coupon._id }, body: { endsAt, memo: memo.trim() } }),
    onSent: () => {
      void toast(t.dayChanged, { tone: 'success' })
      onClose()
      return invalidateUserCoupons(client)
    },
  })
  return (
    <CommandDialog
      title={t.changeDayTitle}
      description={coupon.endsAt ? t.changeDayLead(formatDate(lastMoment(coupon.endsAt))) : t.changeDayOpen}
      width="sm"
      form={form}
      onClose={onClose}
    >
      <LastDayField error={form.errors.endsAt} {...form.text('endsAt')} />
      <MemoField error={form.errors.memo} {...form.text('memo')} />
    </CommandDialog>
  )
}
