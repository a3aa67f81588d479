// Sets of coupons worth pricing: which of them takes off most only the server knows, because coupons may exclude one another.
import type { CouponChoice, CouponUse, Preview } from '../../api/types'
import type { CheckoutForm } from './checkoutForm'

/** The coupons of an order sheet. */
export type ChosenCoupons = Pick<CheckoutForm, 'productCoupons' | 'fareCoupons' | 'totalCoupon'>

export const NO_COUPONS: ChosenCoupons = { productCoupons: {}, fareCoupons: {}, totalCoupon: '' }

/** What a coupon takes off a line or its parcel; without a line, off all it is for; undefined where it cannot be used. */
export const takenOn = ({ takes }: CouponChoice, purchaseNo: string | undefined): number | undefined =>
  takes.find((one) => (one.purchaseNo ?? undefined) === purchaseNo)?.amount

/** The coupons that take off most, each once and one a place, the largest first. */
function assigned(choices: readonly CouponChoice[], places: readonly string[]): [place: string, issued: string][] {
  const pairs = choices.flatMap((choice) =>
    places.flatMap((place) => {
      const amount = takenOn(choice, place) ?? 0
      return amount > 0 ? [{ place, issued: choice._issued, amount }] : []
    }),
  )
  const taken: [string, string][] = []
  for (const { place, issued } of pairs.sort((one, other) => other.amount - one.amount))
    if (!taken.some(([at, used]) => at === place || used === issued)) taken.push([place, issued])
  return taken
}

/** The best of each place together; then the best of each kind alone, for those that cannot be combined. */
export function couponSets({ coupons, quote }: Preview): ChosenCoupons[] {
  const of = (stage: CouponChoice['stage']) => coupons.filter((choice) => choice.stage === stage)
  const parcels = quote.fares.flatMap(({ purchaseNos }) => purchaseNos.slice(0, 1))
  const products = assigned(
    of('product'),
    quote.purchases.map(({ purchaseNo }) => purchaseNo),
  )
  const fares = assigned(of('fare'), parcels)
  const total = of('total')
    .map((choice) => ({ issued: choice._issued, amount: takenOn(choice, undefined) ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount)[0]?.issued
  const kinds = [
    products.length > 0 && { productCoupons: Object.fromEntries(products) },
    products.length > 1 && { productCoupons: Object.fromEntries(products.slice(0, 1)) },
    fares.length > 0 && { fareCoupons: Object.fromEntries(fares) },
    total !== undefined && { totalCoupon: total },
  ].filter((kind) => kind !== false)
  const all: ChosenCoupons = {
    productCoupons: Object.fromEntries(products),
    fareCoupons: Object.fromEntries(fares),
    totalCoupon: total ?? '',
  }
  const sets = kinds.length === 0 ? [] : [all, ...kinds.map((kind) => ({ ...NO_COUPONS, ...kind }))]
  return sets.filter((set, i) => sets.findIndex((one) => JSON.stringify(one) === JSON.stringify(set)) === i)
}

/** What the coupons of a price take off. */
export const couponsOff = ({ quote: { totals } }: Preview): number =>
  totals.productCoupon + totals.fareCoupon + totals.totalCoupon

/** The set without what was left out of its price. */
export function applied(set: ChosenCoupons, used: readonly Pick<CouponUse, '_issued'>[]): ChosenCoupons {
  const isUsed = (issued: string) => used.some((one) => one._issued === issued)
  const kept = (places: Record<string, string>) =>
    Object.fromEntries(Object.entries(places).filter(([, issued]) => isUsed(issued)))
  return {
    productCoupons: kept(set.productCoupons),
    fareCoupons: kept(set.fareCoupons),
    totalCoupon: isUsed(set.totalCoupon) ? set.totalCoupon : '',
  }
}
