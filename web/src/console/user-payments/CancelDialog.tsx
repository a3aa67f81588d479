// Does without the fee of an exchange, with a reason.
import { call } from '../../api/client'
import { formatMoney } from '../../lib/money'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { CommandDialog } from '../crud/CommandDialog'
import { useOrderCommand } from '../purchases/useOrderCommand'
import type { UserPayment } from './types'
import { userPaymentWords as t } from './words'

export function CancelDialog({ payment, onClose }: { payment: UserPayment; onClose: () => void }) {
  const form = useOrderCommand({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? t.reasonMissing : undefined }),
    send: ({ reason }) =>
      call('PUT', '/api/console/users/payments/{id}/cancel', {
        path: { id: payment._id },
        body: { reason: reason.trim() },
      }),
    done: t.canceled,
    onSent: onClose,
  })
  return (
    <CommandDialog
      title={t.cancelOf(payment.number)}
      description={t.cancelLead(formatMoney(payment.amount))}
      form={form}
      submit={t.cancel}
      onClose={onClose}
    >
      <Field label={t.reason} required hint={t.reasonHint} error={form.errors.reason}>
        <Input maxLength={200} {...form.text('reason')} />
      </Field>
    </CommandDialog>
  )
}
