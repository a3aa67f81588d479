// What a member's coupons take off this product: the price preview of this product alone says it.
import { Ticket } from 'lucide-react'
import type { ProductDetail } from '../../api/types'
import { usePreview } from '../../features/orders/usePreview'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import type { OptionChoice } from './options'

/** What is asked for: what was chosen, else one of the first that can be had. */
export function linesOf(product: ProductDetail, chosen: readonly OptionChoice[]) {
  if (chosen.length > 0)
    return chosen.map(({ option, quantity }) => ({ _product: product._id, _option: option?._id, quantity }))
  if (product.soldOut) return []
  const first = product.options.find((option) => option.enabled && !option.soldOut)
  return product.optionsConf.enabled && !first ? [] : [{ _product: product._id, _option: first?._id, quantity: 1 }]
}

/** The most a coupon takes off anywhere of the lines. */
const takesOff = (takes: readonly { amount: number }[]): number => Math.max(0, ...takes.map(({ amount }) => amount))

type BenefitsProps = { product: ProductDetail; chosen: readonly OptionChoice[] }

export default function Benefits({ product, chosen }: BenefitsProps) {
  const { data } = usePreview({ carts: linesOf(product, chosen) })
  const coupons = (data?.coupons ?? [])
    .map(({ _issued, name, takes }) => ({ _issued, name, off: takesOff(takes) }))
    .filter(({ off }) => off > 0)
    .sort((one, other) => other.off - one.off)
  if (coupons.length === 0) return null
  return (
    <section aria-label="쓸 수 있는 쿠폰" className="mt-4 rounded-lg border border-line p-4">
      <h2 className="flex items-center gap-1.5 font-semibold text-sm">
        <Ticket aria-hidden className="size-4.5" />쓸 수 있는 쿠폰
      </h2>
      <ul className="mt-2 grid gap-1.5 text-sm">
        {coupons.map(({ _issued, name, off }) => (
          <li key={_issued} className="flex items-baseline justify-between gap-4">
            <span className="wrap-anywhere">{name}</span>
            <Money amount={-off} className="font-semibold text-accent" />
          </li>
        ))}
      </ul>
      <Link to="/mypage/coupons" className="mt-2 inline-block text-ink-3 text-sm underline underline-offset-4">
        쿠폰함
      </Link>
    </section>
  )
}
