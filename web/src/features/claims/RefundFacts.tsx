// What a claim gives back: money with the fees taken off it, and points.
import type { Claim } from '../../api/types'
import { Facts } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { feeName } from './words'

export function RefundFacts({ refund }: { refund: NonNullable<Claim['refund']> }) {
  const { money, points, fees } = refund
  const before = fees.reduce((sum, fee) => sum + fee.amount, money)
  const parts = [
    ...(fees.length > 0 ? [{ name: '상품과 배송비', value: <Money amount={before} /> }] : []),
    ...fees.map((fee) => ({ name: feeName(fee), value: <Money amount={-fee.amount} signed /> })),
    ...(points > 0 ? [{ name: '적립금', value: <Money amount={points} /> }] : []),
  ]
  return <Facts rows={[...parts, { name: '환불 금액', value: <Money amount={money} />, strong: parts.length > 0 }]} />
}
