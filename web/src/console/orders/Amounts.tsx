// How an order's amount came about: goods, what was taken off, fares, and what is left to pay.
import { Card, Facts } from '../../ui/Card'
import { Fare, Money } from '../../ui/Money'
import type { Order } from '../wire'
import { words } from '../words'

const t = words.order

export function Amounts({ order: { totals, fares, coupons } }: { order: Order }) {
  const off = [
    [t.productDiscount, totals.productDiscount],
    [t.levelDiscount, totals.levelDiscount],
    [t.productCoupon, totals.productCoupon],
  ] as const
  const later = [
    [t.fareCoupon, totals.fareCoupon],
    [t.totalCoupon, totals.totalCoupon],
    [t.points, totals.points],
  ] as const
  const minus = (rows: typeof off | typeof later) =>
    rows.filter(([, amount]) => amount !== 0).map(([name, amount]) => ({ name, value: <Money amount={-amount} /> }))
  return (
    <Card title={t.amounts}>
      <Facts
        rows={[
          { name: t.goods, value: <Money amount={totals.goods} /> },
          ...minus(off),
          { name: t.fares, value: <Fare amount={totals.fares} /> },
          ...minus(later),
          { name: t.payable, value: <Money amount={totals.payable} />, strong: true },
        ]}
      />
      {totals.tax > 0 && (
        <p className="mt-1 text-right text-ink-3 text-sm">
          {t.tax} <Money amount={totals.tax} />
        </p>
      )}
      {fares.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 font-semibold text-sm">{t.fares}</h3>
          <ul className="grid gap-1 text-sm">
            {fares.map((fare) => (
              <li key={fare.purchaseNos.join()} className="flex flex-wrap justify-between gap-x-4">
                <span className="text-ink-2">
                  {fare.name} · {fare.purchaseNos.join(', ')}
                  {fare.islandFee > 0 && (
                    <>
                      {' · '}
                      {t.islandFee} <Money amount={fare.islandFee} />
                    </>
                  )}
                  {fare.serviceFee > 0 && (
                    <>
                      {' · '}
                      {t.serviceFee} <Money amount={fare.serviceFee} />
                    </>
                  )}
                </span>
                <Fare amount={fare.fare + fare.islandFee + fare.serviceFee} />
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
              <li key={coupon._issued} className="flex flex-wrap justify-between gap-x-4">
                <span className="text-ink-2">{[coupon.name, coupon.purchaseNo].filter(Boolean).join(' · ')}</span>
                <Money amount={-coupon.amount} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
