// The claims of an order, newest first, each with a link to its page.
import type { OrderDetail } from '../../api/types'
import { claimHref } from '../../features/claims/claimHrefs'
import { FeePayment } from '../../features/claims/FeePayment'
import {
  awaitsFee,
  claimStateText,
  claimTone,
  exchangeCost,
  exchangeCostName,
  goodsOf,
} from '../../features/claims/words'
import { Badge } from '../../ui/Badge'
import { ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'

export function OrderClaims({ order }: { order: OrderDetail }) {
  if (order.claims.length === 0) return null
  return (
    <Card title="취소·교환·반품 신청 내역">
      <ul className="divide-y divide-line">
        {order.claims.toReversed().map((claim) => (
          <li key={claim._id} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
            <p className="min-w-0">
              <Badge tone={claimTone(claim)}>{claimStateText(order, claim)}</Badge>
              <span className="ml-2">{goodsOf(order, claim)}</span>
              {claim.exchange && awaitsFee(order, claim) && (
                <span className="mt-1 block text-sm text-warning">
                  {exchangeCostName(claim.exchange)} <Money amount={exchangeCost(claim.exchange)} /> 결제 대기. 결제되면
                  새 상품을 보내 드립니다.
                </span>
              )}
            </p>
            <FeePayment orderId={order._id} claim={claim} />
            <ButtonLink to={claimHref(order._id, claim)} size="sm" variant="outline" className="ml-auto">
              신청 상세
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
