// The goods of a claim in one line.
import type { Claim, OrderDetail, PurchaseRow } from '../../api/types'

/** `바람 로드 105 · 블랙 · 2개` */
export const goodsText = ({
  name,
  optionName,
  quantity,
}: Pick<PurchaseRow, 'name' | 'optionName' | 'quantity'>): string =>
  [name, optionName, `${quantity}개`].filter(Boolean).join(' · ')

/** The purchases of a claim. */
export const purchasesOf = (order: OrderDetail, { purchaseNos }: Pick<Claim, 'purchaseNos'>): PurchaseRow[] =>
  order.purchases.filter(({ purchaseNo }) => purchaseNos.includes(purchaseNo))

/** The first of them, and how many more there are. */
export function goodsOf(order: OrderDetail, claim: Pick<Claim, 'purchaseNos'>): string {
  const [first, ...others] = purchasesOf(order, claim)
  if (!first) return ''
  return others.length > 0 ? `${goodsText(first)} 외 ${others.length}건` : goodsText(first)
}
