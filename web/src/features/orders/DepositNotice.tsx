// Payment details of an order by virtual account: bank, number, amount, deadline. And the account for a refund if the bank refused it.
import { useMutation } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client'
import { guestOrderHeaders } from '../../api/guestOrders'
import { useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import type { OrderDetail } from '../../api/types'
import { Button } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { toast } from '../../ui/toast'
import { PAY_CONFIG, payOrder } from '../payment/api'
import { RefundAccountForm } from '../refunds/RefundAccountForm'

type Payment = OrderDetail['payments'][number]

/** The attempt whose account waits for the buyer's deposit. */
export const awaited = (order: OrderDetail): Payment | undefined =>
  order.payments.find((payment) => payment.awaitsDeposit && payment.account)

export function DepositNotice({ order, className }: { order: OrderDetail; className?: string }) {
  const payment = awaited(order)
  const { data } = useApiQuery(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY, enabled: payment !== undefined })
  const pay = useMutation({ mutationFn: () => payOrder(order._id, 'card') })
  const account = payment?.account
  if (!payment || !account) return null
  return (
    <Card title="입금할 계좌" className={className}>
      <Facts
        rows={[
          { name: '은행', value: account.bankName },
          {
            name: '계좌번호',
            value: (
              <span className="inline-flex items-center gap-2">
                <span className="figures font-semibold">{account.number}</span>
                <CopyButton text={account.number} />
              </span>
            ),
          },
          ...(order.depositor ? [{ name: '입금자명', value: order.depositor }] : []),
          {
            name: '입금 기한',
            value: <DateText value={order.payBy} style="datetime" className="figures font-semibold" />,
          },
          { name: '입금할 금액', value: <Money amount={payment.amount} />, strong: true },
        ]}
      />
      <p className="mt-4 text-ink-2 text-sm">
        기한까지 정확한 금액을 한 번에 입금해 주세요. 입금이 확인되면 알려 드리고, 기한이 지나면 주문이 취소됩니다.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="outline" size="sm" busy={pay.isPending} onClick={() => pay.mutate()}>
          카드로 결제하기
        </Button>
      </div>
      {data?.config.sandbox && (
        <Notice tone="info" className="mt-4">
          체험용 계좌입니다.{' '}
          <a
            className="underline underline-offset-2"
            target="_blank"
            rel="noreferrer"
            href={`${new URL('/pay/accounts', data.config.scriptUrl).href}?number=${account.number}`}
          >
            체험용 은행에서 입금해 보기
          </a>
        </Notice>
      )}
    </Card>
  )
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      void toast('계좌번호를 복사했습니다.', { tone: 'success' })
    } catch {
      void toast('복사하지 못했습니다. 번호를 길게 눌러 복사해 주세요.', { tone: 'error' })
    }
  }
  return (
    <Button variant="outline" size="sm" onClick={() => void copy()} aria-label="계좌번호 복사">
      {copied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      복사
    </Button>
  )
}

/** Whether staff send the fee of a rejected exchange and do not know the buyer's account yet. */
const needsFeeAccount = ({ claims }: OrderDetail): boolean =>
  claims.some(({ exchange }) => exchange?.feeTransfer?.needsAccount)

/** Asks for another account where the bank refused a refund, and for one where the fee of an exchange was paid by transfer. */
export function RefundAccount({ order, onDone }: { order: OrderDetail; onDone?: () => void }) {
  const isMember = useSession((s) => s.payload !== undefined)
  const isRefused = order.payments.some((payment) => payment.needsRefundAccount)
  if (!isRefused && !needsFeeAccount(order)) return null
  return (
    <Card title="환불 계좌 확인">
      <p className="mb-4 text-ink-2 text-sm">
        {isRefused ? '환불이 거절되었습니다.' : '계좌로 보내신 교환 배송비를 환불해 드립니다.'} 환불받을 계좌를 입력해
        주시면 확인하고 보내 드립니다.
      </p>
      <RefundAccountForm
        isConfirmed={isMember}
        send={(account, currentPassword) =>
          call('PUT', '/api/v1/me/orders/{id}/refundAccount', {
            path: { id: order._id },
            headers: guestOrderHeaders(order._id),
            body: { account, ...(isMember && { currentPassword }) },
          })
        }
        onDone={onDone}
      />
    </Card>
  )
}
