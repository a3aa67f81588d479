// The attempts to pay an order, and what was given back.
import type { Tone } from '../../lib/order-status'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import type { Payment } from '../wire'
import { words } from '../words'
import { Mark } from './Mark'

const t = words.order
const TONES: Record<string, Tone> = {
  PAYMENT_AWAITING: 'warning',
  PAYMENT_COMPLETED: 'good',
  PAYMENT_CANCELED: 'quiet',
}

export function Payments({ payments, payBy }: { payments: readonly Payment[]; payBy: string }) {
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
                  <span className="text-ink-2">{t.attempt(payment.attempt)}</span>{' '}
                  {t.methods[payment.method] ?? payment.method}{' '}
                  <Mark paths={at('status')}>
                    <Badge tone={TONES[payment.status] ?? 'quiet'}>
                      {t.paymentStatus[payment.status] ?? payment.status}
                    </Badge>
                  </Mark>
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
                      <Mark paths={at('approvedAt')}>
                        {t.approvedAt} <DateText value={payment.approvedAt} style="second" className="figures" />
                      </Mark>
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
                  <Money amount={payment.amount} className="font-bold" />
                  {payment.refunded > 0 && (
                    <span className="block text-danger text-sm">
                      <Mark paths={at('refunded')}>
                        {t.refunded} <Money amount={-payment.refunded} />
                      </Mark>
                    </span>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
