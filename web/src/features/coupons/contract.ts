// What the shop's calls say of coupons and points beside openapi.json, typed by hand until it has them (issue 26).
import type { CouponOffer, MyCoupon, Preview } from '../../api/types'

/** A coupon in the box: one may be taken back by the shop, for a reason; `sentence` is what it does and on which goods. */
export type BoxedCoupon = Omit<MyCoupon, 'state'> & {
  state: MyCoupon['state'] | 'taken'
  memo?: string | null
  sentence?: string | null
}

export type OfferedCoupon = CouponOffer & { sentence?: string | null }

/** The points of an order: what confirming it earns this member, and the rules of the shop in words. */
export type UsablePoints = Preview['points'] & {
  /** Hundredths. */
  earns?: number | null
  conditions?: { code: string; message: string }[]
  /** Codes of the conditions that keep it from being more. */
  limitedBy?: string[]
}
