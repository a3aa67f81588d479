// The parts of a fare, if it is more than the delivery itself: free delivery to an island still costs the island fee.
import type { QuoteFare } from '../../api/types'
import { formatMoney } from '../../lib/money'

type Fees = Pick<QuoteFare, 'fare' | 'islandFee' | 'serviceFee'>

/** `무료배송 + 제주·도서산간 추가 배송비 $3.00`; undefined if the fare has a single part. */
export function farePartsText(fares: readonly Fees[]): string | undefined {
  const sum = (of: (fees: Fees) => number) => fares.reduce((all, fees) => all + of(fees), 0)
  const [fare, island, service] = [sum((one) => one.fare), sum((one) => one.islandFee), sum((one) => one.serviceFee)]
  if (island === 0 && service === 0) return undefined
  return [
    fare === 0 ? '무료배송' : `기본 배송비 ${formatMoney(fare)}`,
    island > 0 && `제주·도서산간 추가 배송비 ${formatMoney(island)}`,
    service > 0 && `조립·설치비 ${formatMoney(service)}`,
  ]
    .filter(Boolean)
    .join(' + ')
}
