// Grants points to many members: first it is counted who receives them, then they are granted.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { useIdempotentSend } from '../../api/sendOnce'
import { useForm } from '../../features/forms/useForm'
import { formatMoney } from '../../lib/money'
import { Notice } from '../../ui/Notice'
import { toast } from '../../ui/toast'
import { LastDayField, lastDayFault, MemoField, memoFault } from '../benefits/fields'
import { Receivers } from '../benefits/Receivers'
import { NO_RECEIVERS, type ReceiversValue, receiversBody, receiversFault, unknownMembers } from '../benefits/receivers'
import type { BulkGrantTrial } from '../benefits/types'
import { benefitWords } from '../benefits/words'
import { CommandDialog } from '../crud/CommandDialog'
import { type AmountEntry, AmountField, amountFault, amountOf } from '../user-points/commands'
import { BULK_GRANTS, invalidateBulkGrants } from './api'
import { bulkWords as t } from './words'

type Values = { receivers: ReceiversValue; amounts: AmountEntry; memo: string; expiresAt: string }
const START: Values = { receivers: NO_RECEIVERS, amounts: null, memo: '', expiresAt: '' }

const bodyOf = ({ receivers, amounts, memo, expiresAt }: Values) => ({
  ...receiversBody(receivers),
  amounts: amountOf(amounts),
  memo: memo.trim(),
  ...(expiresAt !== '' && { expiresAt }),
})

type Counted = BulkGrantTrial & { of: string }

export function BulkGrantDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const sendOnce = useIdempotentSend()
  /** What was counted, and of which body: another one is counted first. */
  const [counted, setCounted] = useState<Counted>()
  const form = useForm<Values>({
    initial: START,
    check: ({ receivers, amounts, memo, expiresAt }) => ({
      receivers: receiversFault(receivers),
      amounts: amountFault(amounts),
      memo: memoFault(memo),
      expiresAt: lastDayFault(expiresAt, { optional: true }),
    }),
    send: async (values) => {
      const body = bodyOf(values)
      const of = JSON.stringify(body)
      if (counted?.of !== of) {
        const { preview } = await call('POST', BULK_GRANTS, { query: { dryRun: true }, body })
        return setCounted(preview && { of, ...preview })
      }
      await sendOnce(body, (headers) => call('POST', BULK_GRANTS, { body, headers }))
      void toast(t.started(counted.members), { tone: 'success' })
      void invalidateBulkGrants(client)
      onClose()
    },
    // Where members are unknown, the list of them says it.
    refused: (error) => (error.code === 'unknown_members' ? {} : undefined),
  })
  const { values, errors, refusal } = form
  const current = counted?.of === JSON.stringify(bodyOf(values)) ? counted : undefined
  const unknown = refusal ? unknownMembers(refusal) : []
  return (
    <CommandDialog
      title={t.give}
      description={t.giveLead}
      form={form}
      submit={current ? t.send(current.members) : t.count}
      disabled={current?.members === 0}
      onClose={onClose}
    >
      <Receivers
        value={values.receivers}
        onValueChange={(receivers) => form.set({ receivers })}
        error={errors.receivers ?? errors.usernames ?? errors.levels ?? errors._users}
        unknown={unknown}
      />
      <AmountField
        label={benefitWords.amountEach}
        error={errors.amounts}
        value={values.amounts}
        onValueChange={(amounts) => form.set({ amounts })}
      />
      <MemoField error={errors.memo} {...form.text('memo')} />
      <LastDayField error={errors.expiresAt} optional {...form.text('expiresAt')} />
      {current && (
        <div aria-live="polite">
          <Notice tone={current.members === 0 ? 'warning' : 'info'}>
            {current.members === 0
              ? t.nobody
              : t.summary(current.members, formatMoney(current.amounts), formatMoney(current.amount_total))}
          </Notice>
        </div>
      )}
    </CommandDialog>
  )
}
