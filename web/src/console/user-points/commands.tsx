// What staff do to points of one member: grant some, take back what is left of a grant, and change its last day.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { idempotent, newIdempotencyKey } from '../../api/idempotency'
import { invalidator } from '../../api/query'
import { useIdempotentSend } from '../../api/sendOnce'
import { useForm } from '../../features/forms/useForm'
import { formatDate, lastMoment } from '../../lib/date'
import { formatMoney } from '../../lib/money'
import { Field } from '../../ui/Field'
import { toast } from '../../ui/toast'
import { LastDayField, lastDayFault, lastDayOf, MemoField, memoFault, nameOf } from '../benefits/fields'
import type { PointGrant } from '../benefits/types'
import { benefitWords } from '../benefits/words'
import { CommandDialog } from '../crud/CommandDialog'
import { type InvalidEntry, isInvalid } from '../crud/entry'
import { NumberField } from '../crud/inputs/NumberField'
import { ReferenceInput } from '../crud/inputs/ReferenceInput'
import { UNDO_MS } from '../crud/undoableDelete'
import { pointWords as t } from './words'

export const GRANTS = '/api/console/users/points'
export const GRANT = '/api/console/users/points/{id}'

/** Reads members' points again. */
export const invalidatePoints = invalidator([GRANTS, GRANT, '/api/console/shop/points/liability'])

/** What is left of it can be taken back, and given more time. */
export const isOpen = ({ amount_left, flags }: PointGrant): boolean => amount_left > 0 && !flags.expired

/** Hundredths, nothing yet, or what was typed and is no amount. */
export type AmountEntry = number | null | InvalidEntry

export const amountOf = (entry: AmountEntry): number => (typeof entry === 'number' ? entry : 0)

export const amountFault = (entry: AmountEntry): string | undefined =>
  isInvalid(entry) ? entry.$fault : amountOf(entry) > 0 ? undefined : benefitWords.amountMissing

type AmountFieldProps = {
  label?: string
  error?: string
  value: AmountEntry
  onValueChange: (entry: AmountEntry) => void
}

export const AmountField = ({ label = benefitWords.amount, ...rest }: AmountFieldProps) => (
  <NumberField label={label} type="amount" isMarked {...rest} />
)

/** A form of one of the commands: says that it was done, and reads the lists again. */
function usePointCommand<V extends object>(
  options: Pick<Parameters<typeof useForm<V, { point: PointGrant }>>[0], 'initial' | 'check' | 'send'> & {
    onSent: (point: PointGrant) => void
  },
) {
  const client = useQueryClient()
  return useForm<V, { point: PointGrant }>({
    ...options,
    send: (values) =>
      options.send(values).catch((thrown: unknown) => {
        // What was refused is no longer as it is shown.
        void invalidatePoints(client)
        throw thrown
      }),
    onSent: ({ point }) => {
      options.onSent(point)
      return invalidatePoints(client)
    },
  })
}

export function GrantDialog({ user = '', onClose }: { user?: string; onClose: () => void }) {
  const sendOnce = useIdempotentSend()
  const form = usePointCommand({
    initial: { _user: user, amounts: null as AmountEntry, memo: '', expiresAt: '' },
    check: ({ _user, amounts, memo, expiresAt }) => ({
      _user: _user === '' ? benefitWords.memberMissing : undefined,
      amounts: amountFault(amounts),
      memo: memoFault(memo),
      expiresAt: lastDayFault(expiresAt, { optional: true }),
    }),
    send: ({ _user, amounts, memo, expiresAt }) => {
      const body = {
        _user,
        amounts: amountOf(amounts),
        memo: memo.trim(),
        ...(expiresAt !== '' && { expiresAt }),
      }
      return sendOnce(body, (headers) => call('POST', GRANTS, { body, headers }))
    },
    onSent: (point) => {
      void toast(t.granted(nameOf(point), formatMoney(point.amounts)), { tone: 'success' })
      onClose()
    },
  })
  const { errors } = form
  return (
    <CommandDialog title={t.give} description={t.giveLead} form={form} submit={t.give} onClose={onClose}>
      <Field label={benefitWords.member} required error={errors._user}>
        <ReferenceInput
          kind="member"
          value={form.values._user}
          required
          onValueChange={(_user) => form.set({ _user })}
        />
      </Field>
      <AmountField
        error={errors.amounts}
        value={form.values.amounts}
        onValueChange={(amounts) => form.set({ amounts })}
      />
      <MemoField error={errors.memo} {...form.text('memo')} />
      <LastDayField error={errors.expiresAt} optional {...form.text('expiresAt')} />
    </CommandDialog>
  )
}

type OfGrant = { grant: PointGrant; onClose: () => void }

export function TakeDialog({ grant, onClose }: OfGrant) {
  const client = useQueryClient()
  const left = formatMoney(grant.amount_left)
  // An event is never taken out of the log: the same amount is granted once more, until the same day.
  const giveAgain = async () => {
    try {
      await call('POST', GRANTS, {
        headers: idempotent(newIdempotencyKey()),
        body: {
          _user: grant._user,
          amounts: grant.amount_left,
          memo: t.giveAgainMemo,
          expiresAt: lastDayOf(grant.expiresAt),
        },
      })
      void toast(t.granted(nameOf(grant), left), { tone: 'success' })
    } catch (thrown) {
      void toast(toApiError(thrown).told, { tone: 'error' })
    }
    void invalidatePoints(client)
  }
  const form = usePointCommand({
    initial: { memo: '' },
    check: ({ memo }) => ({ memo: memoFault(memo) }),
    send: ({ memo }) => call('DELETE', GRANT, { path: { id: grant._id }, query: { memo: memo.trim() } }),
    onSent: () => {
      void toast(t.taken(left), {
        duration: UNDO_MS,
        action: { label: t.giveAgain, onClick: () => void giveAgain() },
      })
      onClose()
    },
  })
  return (
    <CommandDialog
      title={t.takeTitle}
      description={t.takeLead(nameOf(grant), left)}
      width="sm"
      form={form}
      submit={t.take}
      onClose={onClose}
    >
      <MemoField error={form.errors.memo} {...form.text('memo')} />
    </CommandDialog>
  )
}

export function LastDayDialog({ grant, onClose }: OfGrant) {
  const form = usePointCommand({
    initial: { expiresAt: lastDayOf(grant.expiresAt), memo: '' },
    check: ({ expiresAt, memo }) => ({ expiresAt: lastDayFault(expiresAt), memo: memoFault(memo) }),
    send: ({ expiresAt, memo }) =>
      call('PUT', GRANT, { path: { id: grant._id }, body: { expiresAt, memo: memo.trim() } }),
    onSent: () => {
      void toast(t.dayChanged, { tone: 'success' })
      onClose()
    },
  })
  return (
    <CommandDialog
      title={t.changeDay}
      description={t.changeDayLead(formatDate(lastMoment(grant.expiresAt)))}
      width="sm"
      form={form}
      onClose={onClose}
    >
      <LastDayField error={form.errors.expiresAt} {...form.text('expiresAt')} />
      <MemoField error={form.errors.memo} {...form.text('memo')} />
    </CommandDialog>
  )
}
