// A refund the payment service refused for good: staff send its money to the buyer's bank account and write down the transfer.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { PAY_CONFIG } from '../../features/payment/api'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { toast } from '../../ui/toast'
import { invalidateOrder } from '../purchases/invalidateOrder'
import type { Payment } from '../types'
import { orderWords } from './words'

const t = orderWords

type RefusedRefundProps = {
  orderId: string
  refund: Payment['refusedRefunds'][number]
  account: Payment['refundAccount']
}

export function RefusedRefund({ orderId, refund, account }: RefusedRefundProps) {
  const client = useQueryClient()
  const banks = useApiQuery(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY, enabled: Boolean(account) })
  const bankName = banks.data?.config.banks?.find(({ code }) => code === account?.code)?.name ?? account?.code
  const form = useForm({
    initial: { reference: '' },
    check: ({ reference }) => (reference.trim().length < 2 ? { reference: t.transferReferenceRequired } : {}),
    send: ({ reference }) =>
      call('POST', '/api/console/shop/orders/{id}/refunds/{refund}/transfer', {
        path: { id: orderId, refund: refund._id },
        body: { reference: reference.trim() },
      }),
    onSent: async () => {
      void toast(t.transferred, { tone: 'success' })
      await invalidateOrder(client)
    },
  })
  return (
    <form {...form.formProps} className="grid gap-3">
      <p className="text-sm">
        <Money amount={refund.amount} className="font-bold" />{' '}
        {account ? (
          <span className="figures">
            {bankName} {account.accountNumber} {account.accountHolder}
          </span>
        ) : (
          <span className="text-ink-3">{t.noRefundAccount}</span>
        )}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t.transferReference} error={form.errors.reference} required className="min-w-48 flex-1">
          <Input
            value={form.values.reference}
            maxLength={50}
            onChange={(event) => form.set({ reference: event.target.value })}
          />
        </Field>
        <Button type="submit" variant="outline" busy={form.isPending}>
          {t.transfer}
        </Button>
      </div>
      {form.errors.form && (
        <p role="alert" className="text-danger text-sm">
          {form.errors.form}
        </p>
      )}
    </form>
  )
}
