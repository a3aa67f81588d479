// The details of one order, for the member who placed it and for a guest who found it.
import { useEffect, useRef } from 'react'
import type { OrderDetail, Party } from '../../api/types'
import { awaited, DepositNotice, RefundAccount } from '../../features/orders/DepositNotice'
import { farePartsText } from '../../features/orders/fareBreakdown'
import { UnpaidOrder } from '../../features/orders/UnpaidOrder'
import { payMethodWords } from '../../i18n/payMethodWords'
import { statusWords } from '../../i18n/statusWords'
import { formatDate } from '../../lib/date'
import { formatPhone } from '../../lib/phone'
import { Badge } from '../../ui/Badge'
import { Card, Facts } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Fare, Money } from '../../ui/Money'
import { Steps } from '../../ui/Steps'
import { Timeline } from '../../ui/Timeline'
import { toast } from '../../ui/toast'
import { Actions } from '../orders/actions'
import { OrderClaims } from '../orders/OrderClaims'
import { PurchaseCard } from '../orders/PurchaseCard'

/** Newest first; events of several purchases at the same time are merged. */
function distinct(timeline: OrderDetail['timeline']): OrderDetail['timeline'] {
  const minute = (at: string) => formatDate(at, 'datetime')
  return timeline
    .filter(({ text, at }, i) => {
      const next = timeline[i + 1]
      return text !== next?.text || minute(at) !== minute(next.at)
    })
    .reverse()
}

const STEPS = [
  { label: '주문접수', codes: ['ORDER_NONPAYMENT'] },
  { label: statusWords.orderStatus.ORDER_PAYMENT, codes: ['ORDER_PAYMENT'] },
  { label: statusWords.orderStatus.ORDER_CONFIRM, codes: ['ORDER_CONFIRM'] },
  { label: statusWords.orderStatus.SHIPPING_CONFIRM, codes: ['SHIPPING_CONFIRM', 'SHIPPING_DELAYED'] },
  { label: statusWords.orderStatus.DELIVERY_COMPLETE, codes: ['DELIVERY_COMPLETE'] },
]

/** Notifies when a deposit arrives while its order is shown. */
function useDepositToast(order: OrderDetail): void {
  const awaits = awaited(order) !== undefined
  const awaitedBefore = useRef(awaits)
  useEffect(() => {
    if (awaitedBefore.current && !awaits && order.status === 'ORDER_PAYMENT')
      void toast('입금이 확인되었습니다.', { tone: 'success' })
    awaitedBefore.current = awaits
  }, [awaits, order.status])
}

/** The current step; a purchase delayed before shipping is still in preparation. */
const stageOf = ({ status, purchases }: OrderDetail): string =>
  purchases.some((one) => one.orderStatus === 'SHIPPING_DELAYED' && status === one.orderStatus && !one.invoiceNo)
    ? 'ORDER_CONFIRM'
    : status

export function OrderView({ order, onDone }: { order: OrderDetail; onDone?: () => void }) {
  useDepositToast(order)
  return (
    <div className="mt-6 grid gap-5">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="figures font-bold text-lg">{order.orderNo}</p>
            <p className="text-ink-3 text-sm">
              <DateText value={order.createdAt} style="datetime" className="figures" /> 주문
            </p>
          </div>
          <Actions order={order} onDone={onDone} />
        </div>
        <Progress status={stageOf(order)} text={order.statusText} />
        {order.status === 'ORDER_NONPAYMENT' && (
          <p className="mt-5 rounded-md bg-warning-soft px-4 py-3 text-sm text-warning">
            <DateText value={order.payBy} style="datetime" className="figures font-semibold" />
            까지 {awaited(order) ? '입금' : '결제'}하지 않으면 주문이 자동으로 취소됩니다.
          </p>
        )}
      </Card>
      <DepositNotice order={order} />
      <UnpaidOrder order={order} />
      <RefundAccount order={order} onDone={onDone} />
      <Card title={`주문상품 ${order.purchases.length}개`}>
        <ul className="divide-y divide-line">
          {order.purchases.map((purchase) => (
            <PurchaseCard key={purchase.purchaseNo} order={order} purchase={purchase} onDone={onDone} />
          ))}
        </ul>
      </Card>
      <OrderClaims order={order} />
      <div className="grid gap-5 lg:grid-cols-2">
        <Sums order={order} />
        <SenderAndReceiver order={order} />
      </div>
      {order.payments.length > 0 && <Payments order={order} />}
      {order.timeline.length > 0 && (
        <Card title="진행 내역">
          <Timeline
            label="진행 내역"
            dates="datetime"
            items={distinct(order.timeline).map((entry, i) => ({
              key: `${entry.position}-${entry.text}`,
              at: entry.at,
              title: entry.text,
              tone: i === 0 ? 'busy' : 'quiet',
            }))}
          />
        </Card>
      )}
    </div>
  )
}

function Progress({ status, text }: { status: string; text: string }) {
  const at = STEPS.findIndex(({ codes }) => codes.includes(status))
  if (at < 0)
    return (
      <p className="mt-4">
        <Badge>{text}</Badge>
      </p>
    )
  return <Steps label="주문 단계" steps={STEPS.map(({ label }) => label)} at={at} className="mt-6" />
}

function Sums({ order: { totals, coupons, purchases, fares } }: { order: OrderDetail }) {
  const split = farePartsText(fares)
  const shared = purchases.some((one) => one.paid < one.unitPrice * one.quantity)
  const rows = [
    { name: '상품금액', amount: totals.goods, always: true },
    { name: '상품 할인', amount: -totals.productDiscount },
    { name: '회원 등급 할인', amount: -totals.levelDiscount },
    { name: '상품 쿠폰', amount: -totals.productCoupon },
    { name: '배송비 쿠폰', amount: -totals.fareCoupon },
    { name: '주문 쿠폰', amount: -totals.totalCoupon },
    { name: '적립금 사용', amount: -totals.points },
  ]
    .filter(({ amount, always }) => always || amount !== 0)
    .map(({ name, amount }) => ({ name, value: <Money amount={amount} /> }))
  const [goods, ...off] = rows
  return (
    <Card title="주문 금액">
      <Facts
        rows={[
          ...(goods ? [goods] : []),
          { name: '배송비', value: <Fare amount={totals.fares} /> },
          ...off,
          { name: '결제금액 (부가세 포함)', value: <Money amount={totals.payable} />, strong: true },
        ]}
      />
      {split && <p className="mt-3 text-ink-3 text-sm">배송비: {split}</p>}
      {coupons.length > 0 && (
        <p className="mt-3 text-ink-3 text-sm">사용한 쿠폰: {coupons.map((used) => used.name).join(', ')}</p>
      )}
      {shared && (
        <p className="mt-3 text-ink-3 text-sm">
          상품별 금액은 할인과 쿠폰, 적립금을 배분해 차감한 금액입니다. 주문 쿠폰과 적립금은 배송비에도 배분됩니다.
        </p>
      )}
    </Card>
  )
}

const FORGOTTEN = '보관 기간이 지나 파기되었습니다'

function SenderAndReceiver({ order }: { order: OrderDetail }) {
  const { sender, receiver, requestMessage } = order
  const address = (to: Party) =>
    `${to.postcode ? `(${to.postcode}) ` : ''}${to.address1 ?? ''} ${to.address2 ?? ''}`.trim()
  return (
    <Card title="배송지">
      {receiver ? (
        <>
          <p className="font-semibold">{receiver.name}</p>
          <p className="figures text-ink-2">{formatPhone(receiver.phone)}</p>
          <p className="mt-2">{address(receiver)}</p>
          {requestMessage && <p className="mt-2 rounded-md bg-sunken px-3 py-2 text-sm">{requestMessage}</p>}
        </>
      ) : (
        <p className="text-ink-3">{FORGOTTEN}</p>
      )}
      <h3 className="mt-5 border-line border-t pt-4 font-semibold text-sm">주문자</h3>
      <p className="mt-1 flex flex-wrap gap-x-3 text-ink-2 text-sm">
        {sender
          ? [sender.name, formatPhone(sender.phone), sender.email]
              .filter(Boolean)
              .map((text) => <span key={text}>{text}</span>)
          : FORGOTTEN}
      </p>
    </Card>
  )
}

const STATES: Record<string, { text: string; tone: 'warning' | 'good' | 'quiet' }> = {
  PAYMENT_AWAITING: { text: statusWords.paymentStatus.PAYMENT_AWAITING, tone: 'warning' },
  PAYMENT_COMPLETED: { text: statusWords.paymentStatus.PAYMENT_COMPLETED, tone: 'good' },
  PAYMENT_CANCELED: { text: statusWords.paymentStatus.PAYMENT_CANCELED, tone: 'quiet' },
}

function Payments({ order }: { order: OrderDetail }) {
  return (
    <Card title="결제 내역">
      <ul className="divide-y divide-line">
        {order.payments.map((payment) => {
          const state = STATES[payment.status] ?? { text: payment.status, tone: 'quiet' as const }
          return (
            <li
              key={payment._id}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
            >
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                <Badge tone={state.tone}>{state.text}</Badge>
                {payment.userPaymentNo && <span>교환 비용</span>}
                <span className="whitespace-nowrap">{payMethodWords[payment.method]}</span>
                {payment.approvedAt && (
                  <DateText value={payment.approvedAt} style="datetime" className="figures text-ink-3 text-sm" />
                )}
                {payment.account && (
                  <span className="figures w-full text-ink-3 text-sm">
                    {payment.account.bankName} {payment.account.number}
                  </span>
                )}
              </span>
              <span className="ml-auto text-right">
                <Money amount={payment.amount} className="font-semibold" />
                {payment.refunded > 0 && (
                  <span className="block text-danger text-sm">
                    환불 <Money amount={payment.refunded} />
                  </span>
                )}
                {payment.receiptUrl && (
                  <a
                    href={payment.receiptUrl}
                    target="_blank"
                    rel="noreferrer"
                    className="block text-ink-2 text-sm underline underline-offset-2"
                  >
                    영수증
                  </a>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
