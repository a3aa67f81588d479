// The coupons of an order sheet, and what they take off.
import type { CouponChoice, Preview } from '../../api/types'
import type { CheckoutForm } from './checkoutForm'

/** The coupons of an order sheet. */
export type ChosenCoupons = Pick<CheckoutForm, 'productCoupons' | 'fareCoupons' | 'totalCoupon'>

export const NO_COUPONS: ChosenCoupons = { productCoupons: {}, fareCoupons: {}, totalCoupon: '' }

/** What a coupon takes off a line or its parcel; without a line, off all it is for; undefined where it cannot be used. */
export const takenOn = ({ takes }: CouponChoice, purchaseNo: string | undefined): number | undefined =>
  takes.find((one) => (one.purchaseNo ?? undefined) === purchaseNo)?.amount

/** The server's best set as this sheet holds it: a fare coupon for every parcel stands at the first parcel it is for. */
export function bestChoice({ bestCoupons, coupons, quote }: Preview): ChosenCoupons {
  const best: ChosenCoupons = { productCoupons: {}, fareCoupons: {}, totalCoupon: '' }
  const parcelOf = (purchaseNo: string) => quote.fares.find(({ purchaseNos }) => purchaseNos.includes(purchaseNo))
  for (const { _issued, purchaseNo } of bestCoupons?.coupons ?? []) {
    const choice = coupons.find((one) => one._issued === _issued)
    const line = purchaseNo ?? choice?.applicable[0]
    if (choice?.stage === 'total') best.totalCoupon = _issued
    else if (choice?.stage === 'product' && line) best.productCoupons[line] = _issued
    else if (line) best.fareCoupons[parcelOf(line)?.purchaseNos[0] ?? line] = _issued
  }
  return best
}

/** What the coupons of a price take off. */
export const couponsOff = ({ quote: { totals } }: Preview): number =>
  totals.productCoupon + totals.fareCoupon + totals.totalCoupon
