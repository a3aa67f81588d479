// Coupons in words.
import type { CouponOffer, CouponStage, MyCoupon } from '../../api/types'
import { formatMoney } from '../../lib/money'

type Terms = Pick<MyCoupon & CouponOffer, 'unit' | 'value'>

export const STAGES: Record<CouponStage, string> = { product: '상품 쿠폰', fare: '배송비 쿠폰', total: '주문 쿠폰' }

/** `10%` or `$5.00`. */
export const worth = ({ unit, value }: Terms): string => (unit === 'PERCENT' ? `${value}%` : formatMoney(value))
