// The payment attempts of an order, and the refunds.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { Claim } from '../../api/types'
import { RefundAccountForm } from '../../features/refunds/RefundAccountForm'
import type { Tone } from '../../lib/order-status'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { ExplainableAmount } from '../explain/ExplainableAmount'
import { invalidateOrder } from '../purchases/invalidateOrder'
import type { Payment } from '../types'
import { ChangeHighlight } from './ChangeHighlight'
import { RefusedRefund } from './RefusedRefund'
import { orderWords, paymentName } from './words'

const t = orderWords
const TONES: Record<string, Tone> = {
  PAYMENT_AWAITING: 'warning',
  PAYMENT_COMPLETED: 'good',
  PAYMENT_CANCELED: 'quiet',
}

type PaymentsProps = {
  orderId: string
  claims: readonly Claim[]
  payments: readonly Payment[]
  payBy: string
  /** A past state; no actions. */
  readOnly: boolean
}

export function Payments({ orderId, claims, payments, payBy, readOnly }: PaymentsProps) {
  const fees = claims.flatMap(({ exchange }) => exchange?.feeTransfer ?? []).filter(({ sent }) => !sent)
  return (
    <Card title={t.payments}>
      {payments.length === 0 ? (
        <p className="text-ink-2">
          {t.noPayments} {t.payBy} <DateText value={payBy} style="datetime" className="figures" />
        </p>
      ) : (
        <ul className="grid gap-3">
          {payments.map((payment) => {
            const at = (field: string) => [`payments.${payment._id}.${field}`]
            return (
              <li key={payment._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <span>
                  {payments.length > 1 && <span className="mr-1 text-ink-2">{paymentName(payment)}</span>}
                  {t.methods[payment.method] ?? payment.method}{' '}
                  <ChangeHighlight paths={at('status')}>
                    <Badge tone={TONES[payment.status] ?? 'quiet'}>
                      {t.paymentStatus[payment.status] ?? payment.status}
                    </Badge>
                  </ChangeHighlight>
                  {payment.refusedRefunds.length > 0 && (
                    <Badge tone="bad" className="ml-1.5">
                      {t.refundRefused}
                    </Badge>
                  )}
                  {payment.account && (
                    <span className="figures block text-ink-3 text-sm">
                      {payment.account.bankName} {payment.account.number}
                      {payment.awaitsDeposit && (
                        <>
                          {' · '}
                          {t.payBy} <DateText value={payBy} style="datetime" />
                        </>
                      )}
                    </span>
                  )}
                  {payment.approvedAt && (
                    <span className="block text-ink-3 text-sm">
                      <ChangeHighlight paths={at('approvedAt')}>
                        {t.approvedAt} <DateText value={payment.approvedAt} style="second" className="figures" />
                      </ChangeHighlight>
                      {payment.receiptUrl && (
                        <a
                          href={payment.receiptUrl}
                          target="_blank"
                          rel="noreferrer"
                          className="ml-2 underline underline-offset-4"
                        >
                          {t.receipt}
                        </a>
                      )}
                    </span>
                  )}
                </span>
                <span className="text-right">
                  <ExplainableAmount amount={`payments.${payment._id}.amount`}>
                    <Money amount={payment.amount} className="font-bold" />
                  </ExplainableAmount>
                  {payment.refunded > 0 && (
                    <span className="block text-danger text-sm">
                      <ChangeHighlight paths={at('refunded')}>
                        {t.refunded}{' '}
                        <ExplainableAmount amount={`payments.${payment._id}.refunded`}>
                          <Money amount={-payment.refunded} />
                        </ExplainableAmount>
                      </ChangeHighlight>
                    </span>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      )}
      {!readOnly &&
        (payments.some((payment) => payment.needsRefundAccount) || fees.some((fee) => fee.needsAccount)) && (
          <RefundAccount orderId={orderId} text={fees.length > 0 ? t.feeRefundAccount : t.refundAccount} />
        )}
      {!readOnly && fees.length > 0 && (
        <div className="mt-5 grid gap-4 border-line border-t pt-5">
          <Notice tone="bad">{t.feeRefundTransfer}</Notice>
          {fees.map(({ _refund, amount, account }) => (
            <RefusedRefund key={_refund} orderId={orderId} refund={{ _id: _refund, amount }} account={account} />
          ))}
        </div>
      )}
      {!readOnly && payments.some((payment) => payment.refusedRefunds.length > 0) && (
        <div className="mt-5 grid gap-4 border-line border-t pt-5">
          <Notice tone="bad">{t.refundTransfer}</Notice>
          {payments.flatMap((payment) =>
            payment.refusedRefunds.map((refund) => (
              <RefusedRefund key={refund._id} orderId={orderId} refund={refund} account={payment.refundAccount} />
            )),
          )}
        </div>
      )}
    </Card>
  )
}

/** Staff enter the account the buyer names, for refused refunds and for fees paid by transfer. It applies to the whole order. */
function RefundAccount({ orderId, text }: { orderId: string; text: string }) {
  const client = useQueryClient()
  return (
    <div className="mt-5 grid gap-4 border-line border-t pt-5">
      <Notice tone="bad">{text}</Notice>
      <RefundAccountForm
        send={(account) =>
          call('PUT', '/api/console/shop/orders/{id}/refundAccount', { path: { id: orderId }, body: { account } })
        }
        onDone={() => invalidateOrder(client)}
      />
    </div>
  )
}
