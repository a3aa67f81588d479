// Coupons in words.
import type { CouponOffer, CouponStage, MyCoupon } from '../../api/types'
import { formatMoney } from '../../lib/money'

type Terms = Pick<MyCoupon & CouponOffer, 'unit' | 'value' | 'limit' | 'priceMin'>

export const STAGES: Record<CouponStage, string> = { product: '상품 쿠폰', fare: '배송비 쿠폰', total: '주문 쿠폰' }

/** `10%` or `$5.00`. */
export const worth = ({ unit, value }: Terms): string => (unit === 'PERCENT' ? `${value}%` : formatMoney(value))

/** Its limits: from which price on, and how much at most. */
export function limits({ limit, priceMin }: Terms): string {
  const parts = [
    priceMin != null && priceMin > 0 && `${formatMoney(priceMin)} 이상 구매 시`,
    limit != null && `최대 ${formatMoney(limit)} 할인`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : '조건 없음'
}
