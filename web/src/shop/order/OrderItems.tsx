// 주문상품: what is being ordered, with what its coupons and the rest take off.
import type { Preview } from '../../api/types'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Picture } from '../../ui/Picture'

export function OrderItems({ preview }: { preview: Preview }) {
  const { purchases } = preview.quote
  return (
    <Card title={`주문상품 ${purchases.length}개`}>
      <ul className="divide-y divide-line">
        {purchases.map((line) => {
          const full = line.unitPrice * line.quantity
          const now = full - line.productDiscount - line.levelDiscount
          const left = preview.lines.find((one) => one.purchaseNo === line.purchaseNo)?.stockLeft
          const short = left !== undefined && left < line.quantity
          return (
            <li key={line.purchaseNo} className="flex gap-4 py-4 first:pt-0 last:pb-0">
              <Picture src={line.thumb} alt="" sizes="80px" className="w-20 shrink-0 self-start" />
              <div className="min-w-0 flex-1">
                <p className="font-medium leading-snug">{line.name}</p>
                <p className="mt-0.5 text-ink-3 text-sm">
                  {[line.optionName, `${line.quantity}개`].filter(Boolean).join(' · ')}
                </p>
                {short && (
                  <p role="alert" className="mt-1 text-danger text-sm">
                    {left > 0
                      ? `${left}개만 남았습니다. 장바구니에서 수량을 줄여 주세요.`
                      : '품절되었습니다. 장바구니에서 빼 주세요.'}
                  </p>
                )}
                <p className="mt-2">
                  <Money amount={now} className="font-bold" />
                  {now < full && (
                    <s className="ml-2 text-ink-3 text-sm">
                      <Money amount={full} />
                    </s>
                  )}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Is any line more than there is? */
export const isShort = ({ quote, lines }: Preview): boolean =>
  quote.purchases.some((line) => {
    const left = lines.find((one) => one.purchaseNo === line.purchaseNo)?.stockLeft
    return left !== undefined && left < line.quantity
  })
