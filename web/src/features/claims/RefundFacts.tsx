// The completed or expected refund of a claim: money after fees, and points.
import type { Claim } from '../../api/types'
import { Facts } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { reclaimedWords } from './reclaimedWords'
import { feeName } from './words'

type RefundFactsProps = {
  refund: NonNullable<Claim['refund']>
  /** The refund is still pending. */
  due?: boolean
}

export function RefundFacts({ refund, due = false }: RefundFactsProps) {
  const { money, points, fees, reclaimed } = refund
  const off = reclaimed?.money ?? 0
  const before = fees.reduce((sum, fee) => sum + fee.amount, money + off)
  const parts = [
    ...(fees.length > 0 || off > 0 ? [{ name: '상품과 배송비', value: <Money amount={before} /> }] : []),
    ...fees.map((fee) => ({ name: feeName(fee), value: <Money amount={-fee.amount} signed /> })),
    ...(off > 0 ? [{ name: reclaimedWords.money, value: <Money amount={-off} signed /> }] : []),
  ]
  // Besides the money, so not part of its sum.
  const besides = [
    ...(points > 0 ? [{ name: reclaimedWords.returned, value: <Money amount={points} /> }] : []),
    ...(reclaimed && reclaimed.points > 0
      ? [{ name: reclaimedWords.points, value: <Money amount={-reclaimed.points} signed /> }]
      : []),
  ]
  return (
    <Facts
      rows={[
        ...parts,
        { name: due ? '환불 예정 금액' : '환불 금액', value: <Money amount={money} />, strong: parts.length > 0 },
        ...besides,
      ]}
    />
  )
}
