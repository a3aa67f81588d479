// Makes codes for a coupon.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../../api/client'
import { useIdempotentSend } from '../../api/sendOnce'
import { useForm } from '../../features/forms/useForm'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { memoFault } from '../benefits/fields'
import { CommandDialog } from '../crud/CommandDialog'
import { ReferenceInput } from '../crud/inputs/ReferenceInput'
import { batchPath, CODE_BATCHES, invalidateCodes } from './api'
import { codeWords as t } from './words'

const CODES_MOST = 10_000

type Values = { _coupon: string; count: string; memo: string }

const isCount = (count: string): boolean =>
  /^\d+$/.test(count.trim()) && Number(count) >= 1 && Number(count) <= CODES_MOST

export function MakeDialog({ coupon = '', onClose }: { coupon?: string; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const sendOnce = useIdempotentSend()
  const form = useForm<Values>({
    initial: { _coupon: coupon, count: '', memo: '' },
    check: ({ _coupon, count, memo }) => ({
      _coupon: _coupon === '' ? t.couponMissing : undefined,
      count: isCount(count) ? undefined : t.countInvalid,
      memo: memoFault(memo),
    }),
    send: async ({ _coupon, count, memo }) => {
      const body = { _coupon, count: Number(count), memo: memo.trim() }
      const { batch } = await sendOnce(body, (headers) => call('POST', CODE_BATCHES, { body, headers }))
      void toast(t.made(batch.count), { tone: 'success' })
      void invalidateCodes(client)
      onClose()
      void navigate(batchPath(batch._id))
    },
  })
  const { values, errors } = form
  return (
    <CommandDialog title={t.make} description={t.makeLead} form={form} submit={t.make} onClose={onClose}>
      <Field label={t.coupon} hint={t.couponHint} required error={errors._coupon}>
        <ReferenceInput
          kind="coupon"
          value={values._coupon}
          required
          onValueChange={(_coupon) => form.set({ _coupon })}
        />
      </Field>
      <Field label={t.count} hint={t.countHint} required error={errors.count}>
        <Input inputMode="numeric" autoComplete="off" {...form.text('count')} />
      </Field>
      <Field label={t.memo} hint={t.memoHint} required error={errors.memo}>
        <Input autoComplete="off" {...form.text('memo')} />
      </Field>
    </CommandDialog>
  )
}
