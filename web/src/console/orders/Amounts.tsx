// The amounts of an order: goods, discounts, fares, and the amount to pay.
import type { ReactNode } from 'react'
import { Card, Facts } from '../../ui/Card'
import { Fare, Money } from '../../ui/Money'
import { ExplainableAmount } from '../explain/ExplainableAmount'
import { LedgerLink } from '../ledgers/LedgerLink'
import type { Order, Totals } from '../types'
import { orderWords } from './words'

const t = orderWords

const explained = (amount: string, shown: ReactNode) => <ExplainableAmount amount={amount}>{shown}</ExplainableAmount>

/** The stage of the coupons in each amount. */
const STAGES: Partial<Record<keyof Totals, Order['coupons'][number]['stage']>> = {
  productCoupon: 'product',
  fareCoupon: 'fare',
  totalCoupon: 'total',
}

type AmountsProps = {
  order: Order
  /** The whole order; a seller gets only their part. */
  whole: boolean
  /** Links to the ledgers of the amounts. */
  ledgers?: ReactNode
}

export function Amounts({ order: { totals, fares, coupons }, whole, ledgers }: AmountsProps) {
  const off = [
    [t.productDiscount, 'productDiscount'],
    [t.levelDiscount, 'levelDiscount'],
    [t.productCoupon, 'productCoupon'],
  ] as const
  const later = [
    [t.fareCoupon, 'fareCoupon'],
    [t.totalCoupon, 'totalCoupon'],
    [t.points, 'points'],
  ] as const
  // Discounts by coupons of others are shown to sellers without the coupons' names.
  const called = (name: string, amount: keyof Totals) => {
    const stage = STAGES[amount]
    if (whole || !stage) return name
    const own = coupons.reduce((sum, coupon) => sum + (coupon.stage === stage ? coupon.amount : 0), 0)
    return own === 0 ? t.byShop(name) : own < totals[amount] ? t.partlyByShop(name) : name
  }
  const minus = (rows: typeof off | typeof later) =>
    rows
      .filter(([, amount]) => totals[amount] !== 0)
      .map(([name, amount]) => ({
        name: called(name, amount),
        value: explained(amount, <Money amount={-totals[amount]} />),
      }))
  // A single fare without surcharges equals the sum above.
  const tellsFares = fares.length > 1 || fares.some((fare) => fare.islandFee > 0 || fare.serviceFee > 0)
  return (
    <Card title={whole ? t.amounts : t.ownAmounts} headerAction={ledgers}>
      <Facts
        rows={[
          { name: t.goods, value: explained('goods', <Money amount={totals.goods} />) },
          ...minus(off),
          { name: t.fares, value: explained('fares', <Fare amount={totals.fares} />) },
          ...minus(later),
          { name: t.payable, value: explained('payable', <Money amount={totals.payable} />), strong: true },
        ]}
      />
      <p className="mt-1 text-right text-ink-3 text-sm">{t.tax}</p>
      {tellsFares && (
        <>
          <h3 className="mt-5 mb-2 font-semibold text-sm">{t.fareDetails}</h3>
          <ul className="grid gap-1 text-sm">
            {fares.map((fare, place) => (
              <li key={fare.purchaseNos.join()} className="flex justify-between gap-x-4">
                <span className="text-ink-2">
                  {fare.name} · {fare.purchaseNos.join(', ')}
                  {fare.islandFee > 0 && (
                    <>
                      {' · '}
                      {t.islandFee} {explained(`fares.${place}.islandFee`, <Money amount={fare.islandFee} />)}
                    </>
                  )}
                  {fare.serviceFee > 0 && (
                    <>
                      {' · '}
                      {t.serviceFee} {explained(`fares.${place}.serviceFee`, <Money amount={fare.serviceFee} />)}
                    </>
                  )}
                </span>
                {explained(`fares.${place}.gross`, <Fare amount={fare.fare + fare.islandFee + fare.serviceFee} />)}
              </li>
            ))}
          </ul>
        </>
      )}
      {coupons.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 font-semibold text-sm">{t.coupons}</h3>
          <ul className="grid gap-1 text-sm">
            {coupons.map((coupon) => (
              <li key={coupon._issued} className="flex justify-between gap-x-4">
                <span className="text-ink-2">
                  <LedgerLink stream={{ kind: 'issued-coupon', id: coupon._issued }}>{coupon.name}</LedgerLink>
                  {coupon.purchaseNo && ` · ${coupon.purchaseNo}`}
                </span>
                {explained(`coupons.${coupon._issued}.amount`, <Money amount={-coupon.amount} />)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
