// Result of the payment of what an exchange costs.
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react'
import type { Claim, OrderDetail } from '../../api/types'
import { claimHref } from '../../features/claims/claimHrefs'
import { FeePayment } from '../../features/claims/FeePayment'
import { exchangeCost, exchangeCostName, feeStateText } from '../../features/claims/words'
import { useOrderHref } from '../../features/orders/useOrder'
import { Button, ButtonLink } from '../../ui/Button'
import { Card, Facts } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { REASONS, UNKNOWN } from './reasons'

type Outcome = 'paid' | 'due' | 'over'

function outcomeOf({ exchange }: Claim): Outcome {
  const status = exchange?.pay?.status
  if (status === 'PAY_COMPLETED') return 'paid'
  return status === 'PAY_AWAITING' ? 'due' : 'over'
}

const FEE_TITLES: Record<Outcome, string> = {
  paid: '교환 배송비를 결제했습니다',
  due: '교환 배송비가 결제되지 않았습니다',
  over: '결제할 교환 배송비가 없습니다',
}

const COST_TITLES: Record<Outcome, string> = {
  paid: '교환 비용을 결제했습니다',
  due: '교환 비용이 결제되지 않았습니다',
  over: '결제할 교환 비용이 없습니다',
}

export const feeTitle = (claim: Claim): string =>
  ((claim.exchange?.price ?? 0) > 0 ? COST_TITLES : FEE_TITLES)[outcomeOf(claim)]

const ICONS = { paid: CircleCheck, due: CircleAlert, over: CircleAlert }
const TONES = { paid: 'text-success', due: 'text-danger', over: 'text-ink-3' }

type FeeResultProps = {
  order: OrderDetail
  claim: Claim
  code: string | null
  askAgain: () => void
  asking: boolean
}

export function FeeResult({ order, claim, code, askAgain, asking }: FeeResultProps) {
  const orderHref = useOrderHref(order._id)
  const outcome = outcomeOf(claim)
  const Icon = asking ? LoaderCircle : ICONS[outcome]
  const texts: Record<Outcome, string> = {
    paid: '판매자가 새 상품을 준비하는 대로 보내 드립니다.',
    due: code ? (REASONS[code] ?? UNKNOWN) : '아직 결제를 확인하지 못했습니다.',
    over: '교환이 끝났거나 결제할 금액이 없습니다. 결제한 금액이 있다면 자동으로 환불됩니다.',
  }
  const exchange = claim.exchange
  return (
    <>
      <div role="status" className="flex flex-col items-center text-center">
        <Icon aria-hidden className={`size-14 stroke-[1.4] ${asking ? 'animate-spin text-ink-3' : TONES[outcome]}`} />
        <h1 className="mt-4 font-extrabold text-3xl">{feeTitle(claim)}</h1>
        <p className="mt-2 text-ink-2">{texts[outcome]}</p>
      </div>
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        <FeePayment orderId={order._id} claim={claim} />
        {outcome === 'due' && (
          <Button variant="outline" busy={asking} onClick={askAgain}>
            결제 확인
          </Button>
        )}
        <ButtonLink to={claimHref(order._id, claim)} variant={outcome === 'paid' ? 'primary' : 'outline'}>
          교환 상세
        </ButtonLink>
        <ButtonLink to={orderHref} variant="outline">
          주문 상세
        </ButtonLink>
      </div>
      {exchange && (
        <Card title="결제 내역" className="mt-10">
          <Facts
            rows={[
              { name: '주문번호', value: <span className="figures font-semibold">{order.orderNo}</span> },
              { name: '결제 상태', value: feeStateText(exchange) },
              ...(exchange.price > 0
                ? [
                    { name: '옵션 차액', value: <Money amount={exchange.price} /> },
                    { name: '교환 배송비', value: <Money amount={exchange.fee} /> },
                  ]
                : []),
              {
                name: exchangeCostName(exchange),
                value: <Money amount={exchangeCost(exchange)} />,
                strong: true,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}
