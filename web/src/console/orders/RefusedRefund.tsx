// A refund the payment service cannot make: staff transfer the money to the buyer's bank account and record the transfer.
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { PAY_CONFIG } from '../../features/payment/api'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { CommandForm } from '../crud/CommandDialog'
import { useOrderCommand } from '../purchases/useOrderCommand'
import type { Payment } from '../types'
import { orderWords } from './words'

const t = orderWords

type RefusedRefundProps = {
  orderId: string
  refund: Payment['refusedRefunds'][number]
  account: Payment['refundAccount']
}

export function RefusedRefund({ orderId, refund, account }: RefusedRefundProps) {
  const banks = useApiQuery(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY, enabled: Boolean(account) })
  const bankName = banks.data?.config.banks?.find(({ code }) => code === account?.code)?.name ?? account?.code
  const form = useOrderCommand({
    initial: { reference: '' },
    check: ({ reference }) => (reference.trim().length < 2 ? { reference: t.transferReferenceRequired } : {}),
    send: ({ reference }) =>
      call('POST', '/api/console/shop/orders/{id}/refunds/{refund}/transfer', {
        path: { id: orderId, refund: refund._id },
        body: { reference: reference.trim() },
      }),
    done: t.transferred,
  })
  return (
    <CommandForm form={form}>
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
          <Input maxLength={50} {...form.text('reference')} />
        </Field>
        <Button type="submit" variant="outline" busy={form.isPending}>
          {t.transfer}
        </Button>
      </div>
    </CommandForm>
  )
}
