// The page after the payment window. Safe to reload: it only reads the result from the server.
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Landmark, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { toApiError } from '../../api/errors'
import { useLoggedIn } from '../../api/session'
import type { OrderDetail } from '../../api/types'
import { DepositNotice } from '../../features/orders/DepositNotice'
import { UnpaidOrder } from '../../features/orders/UnpaidOrder'
import { useOrderHref } from '../../features/orders/useOrder'
import { lastOpenedPayment, payOrder } from '../../features/payment/api'
import { payMethodWords } from '../../i18n/payMethodWords'
import { useTitle } from '../../lib/pageContext'
import { Button, ButtonLink } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Fare, Money } from '../../ui/Money'
import { Picture } from '../../ui/Picture'
import { EmptyState, ErrorState, Loading } from '../../ui/states'
import { FeeResult, feeTitle } from './FeeResult'
import { REASONS, UNKNOWN } from './reasons'
import { useOrderResult } from './useOrderResult'

export function Component() {
  const [params] = useSearchParams()
  const id = params.get('order') ?? lastOpenedPayment() ?? ''
  const claim = params.get('claim')
  const code = params.get('error')
  const isRefused = code !== null && code !== 'unavailable'
  const { order, outcome, error, askAgain, asking } = useOrderResult(id, isRefused)
  const fee = order?.claims.find(({ _id }) => _id === claim)
  useTitle(fee ? feeTitle(fee) : outcome && TITLES[outcome])
  return (
    <main id="content" className="mx-auto w-full max-w-2xl px-5 py-10 md:py-16">
      {!id ? (
        <Unknown code={code} />
      ) : order && fee ? (
        <FeeResult order={order} claim={fee} code={code} askAgain={() => void askAgain()} asking={asking} />
      ) : order && outcome ? (
        <OrderResult order={order} outcome={outcome} code={code} askAgain={() => void askAgain()} asking={asking} />
      ) : error ? (
        <>
          <h1 className="sr-only">주문 결과</h1>
          <ErrorState error={error} title="주문을 확인하지 못했습니다" onRetry={() => void askAgain()} />
          <p className="-mt-8 flex justify-center gap-2">
            <ButtonLink to={`/login?next=${encodeURIComponent(`/shop/result?order=${id}`)}`}>로그인</ButtonLink>
            <ButtonLink to="/shop/lookup" variant="outline">
              비회원 주문조회
            </ButtonLink>
          </p>
        </>
      ) : (
        <Loading>
          <h1 className="py-20 text-center font-bold text-2xl">주문을 확인하고 있습니다</h1>
        </Loading>
      )}
    </main>
  )
}

const TITLES = {
  paid: '주문이 완료되었습니다',
  waiting: '결제를 확인하고 있습니다',
  deposit: '입금을 기다리고 있습니다',
  unpaid: '결제가 완료되지 않았습니다',
  canceled: '취소된 주문입니다',
}

const SUMS = {
  paid: '결제금액',
  waiting: '결제할 금액',
  deposit: '결제할 금액',
  unpaid: '결제할 금액',
  canceled: '주문 금액',
}

/** Visitors without a login are more likely to have ordered as a guest. */
function Unknown({ code }: { code: string | null }) {
  const loggedIn = useLoggedIn()
  const mine = { to: '/mypage/orders', label: '주문 내역' }
  const guests = { to: '/shop/lookup', label: '비회원 주문조회' }
  const [first, second] = loggedIn ? [mine, guests] : [guests, mine]
  return (
    <>
      <h1 className="sr-only">주문 결과</h1>
      <EmptyState
        title="주문 정보를 확인할 수 없습니다"
        text={code ? UNKNOWN : `${loggedIn ? '주문 내역' : '비회원 주문조회'}에서 결과를 확인해 주세요.`}
        action={
          <>
            <ButtonLink to={first.to}>{first.label}</ButtonLink>
            <ButtonLink to={second.to} variant="outline">
              {second.label}
            </ButtonLink>
          </>
        }
      />
    </>
  )
}

type OrderResultProps = {
  order: OrderDetail
  outcome: keyof typeof TITLES
  code: string | null
  askAgain: () => void
  asking: boolean
}

function OrderResult({ order, outcome, code, askAgain, asking }: OrderResultProps) {
  const detail = useOrderHref(order._id)
  const pay = useMutation({ mutationFn: () => payOrder(order._id, order.paymentMethod), meta: { suppressToast: true } })
  const failed = pay.error && outcome === 'unpaid' ? toApiError(pay.error) : undefined
  const mayPay = order.nextActions.includes('pay')
  return (
    <>
      <div role="status" className="flex flex-col items-center text-center">
        <Sign outcome={outcome} />
        <h1 className="mt-4 font-extrabold text-3xl">{TITLES[outcome]}</h1>
        <StatusText outcome={outcome} order={order} code={code} />
      </div>

      {failed && (
        <p role="alert" className="mt-6 rounded-md bg-danger-soft px-4 py-3 text-center text-danger">
          {failed.message}
        </p>
      )}

      <div className="mt-7 flex flex-wrap justify-center gap-2">
        {outcome === 'unpaid' && mayPay && (
          <Button variant="accent" size="lg" busy={pay.isPending} onClick={() => pay.mutate()}>
            다시 결제하기
          </Button>
        )}
        {(outcome === 'unpaid' || outcome === 'deposit') && (
          <Button variant="outline" size="lg" busy={asking} onClick={askAgain}>
            {outcome === 'deposit' ? '입금 확인' : '결제 확인'}
          </Button>
        )}
        {outcome !== 'waiting' && (
          <ButtonLink to={detail} variant={outcome === 'paid' ? 'primary' : 'outline'} size="lg">
            주문 상세
          </ButtonLink>
        )}
        {outcome === 'paid' && (
          <ButtonLink to="/shop/products" variant="outline" size="lg">
            계속 쇼핑하기
          </ButtonLink>
        )}
      </div>

      <DepositNotice order={order} className="mt-10" />
      {(outcome === 'unpaid' || outcome === 'deposit') && <UnpaidOrder order={order} className="mt-10" />}

      <Card title="주문 내역" className="mt-10">
        <Facts
          rows={[
            { name: '주문번호', value: <span className="figures font-semibold">{order.orderNo}</span> },
            { name: '주문일시', value: <DateText value={order.createdAt} style="datetime" /> },
            { name: '결제수단', value: payMethodWords[methodOf(order)] },
            ...(order.receiver
              ? [
                  { name: '받는 분', value: order.receiver.name },
                  {
                    name: '배송지',
                    value: [order.receiver.address1, order.receiver.address2].filter(Boolean).join(' '),
                  },
                ]
              : []),
            {
              name: SUMS[outcome],
              value: <Money amount={order.payable} />,
              strong: true,
            },
          ]}
        />
        <ul className="mt-6 grid gap-4 border-line border-t pt-5">
          {order.purchases.map((line) => (
            <li key={line.purchaseNo} className="flex items-center gap-4">
              <Picture src={line.thumb} alt="" sizes="56px" className="w-14 shrink-0" />
              <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
                <div className="min-w-0 flex-1 basis-44">
                  <p className="line-clamp-2 font-medium leading-snug">{line.name}</p>
                  <p className="text-ink-3 text-sm">
                    {[line.optionName, `${line.quantity}개`].filter(Boolean).join(' · ')}
                  </p>
                </div>
                <Money amount={line.paid} className="font-semibold" />
              </div>
            </li>
          ))}
          {order.fares.length > 0 && (
            <li className="flex items-center justify-between gap-4">
              <span className="text-ink-2">배송비</span>
              <Fare amount={order.fares.reduce((sum, fare) => sum + fare.paid, 0)} className="font-semibold" />
            </li>
          )}
        </ul>
      </Card>
    </>
  )
}

/** The method of the last payment attempt, which may differ from the one the order was placed with. */
const methodOf = ({ payments, paymentMethod }: OrderDetail) =>
  (payments.find(isPaidWith) ?? payments.findLast(isOfOrder))?.method ?? paymentMethod

type Payment = OrderDetail['payments'][number]

const isOfOrder = ({ userPaymentNo }: Payment) => !userPaymentNo
const isPaidWith = (payment: Payment) => isOfOrder(payment) && payment.status === 'PAYMENT_COMPLETED'

function Sign({ outcome }: { outcome: OrderResultProps['outcome'] }) {
  if (outcome === 'paid') return <CircleCheck aria-hidden className="size-14 stroke-[1.4] text-success" />
  if (outcome === 'waiting')
    return <LoaderCircle aria-hidden className="size-14 animate-spin stroke-[1.4] text-ink-3" />
  if (outcome === 'deposit') return <Landmark aria-hidden className="size-14 stroke-[1.4] text-warning" />
  return <CircleAlert aria-hidden className="size-14 stroke-[1.4] text-danger" />
}

function StatusText({ outcome, order, code }: Pick<OrderResultProps, 'outcome' | 'order' | 'code'>): ReactNode {
  const by = <DateText value={order.payBy} style="datetime" className="figures font-semibold" />
  const texts = {
    paid: <>주문해 주셔서 감사합니다. 준비되는 대로 보내 드리겠습니다.</>,
    deposit: <>{by}까지 아래 계좌로 입금해 주세요. 이 화면을 닫아도 주문 상세에서 다시 볼 수 있습니다.</>,
    waiting: <>잠시만 기다려 주세요. 이 화면을 닫아도 주문은 그대로 남습니다.</>,
    unpaid: (
      <>
        {code ? (REASONS[code] ?? UNKNOWN) : '아직 결제를 확인하지 못했습니다.'}
        <br />
        주문은 저장되어 있으니 {by}까지 다시 결제할 수 있습니다.
      </>
    ),
    canceled: <>결제되지 않았거나 취소된 주문입니다. 결제한 금액이 있다면 환불됩니다.</>,
  }
  return <p className="mt-2 text-ink-2">{texts[outcome]}</p>
}
