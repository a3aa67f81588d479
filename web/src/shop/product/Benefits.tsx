// What a member's coupons take off this product, what can be downloaded for it, and the points it earns: the price preview of this
// product alone says it.
import { Coins, Download, Ticket } from 'lucide-react'
import type { CouponOffer, ProductDetail } from '../../api/types'
import { useDrawCoupon } from '../../features/coupons/useDrawCoupon'
import { usePreview } from '../../features/orders/usePreview'
import { Button } from '../../ui/Button'
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
  const lines = linesOf(product, chosen)
  const { data } = usePreview({ carts: lines }, { offers: true })
  const coupons = (data?.coupons ?? [])
    .map(({ _issued, name, takes }) => ({ _issued, name, off: takesOff(takes) }))
    .filter(({ off }) => off > 0)
    .sort((one, other) => other.off - one.off)
  const earns = data?.points.earns ?? 0
  return (
    <>
      {earns > 0 && (
        <p className="mt-4 flex items-center gap-1.5 text-sm">
          <Coins aria-hidden className="size-4.5" />
          <span>
            구매를 확정하면 <Money amount={earns} className="font-semibold text-accent" />가 적립됩니다.
          </span>
        </p>
      )}
      {coupons.length > 0 && (
        <section aria-label="쓸 수 있는 쿠폰" className={BOX}>
          <Heading text="쓸 수 있는 쿠폰" />
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
      )}
      <Offers offers={data?.offers ?? []} />
    </>
  )
}

const BOX = 'mt-4 rounded-lg border border-line p-4'

const Heading = ({ text }: { text: string }) => (
  <h2 className="flex items-center gap-1.5 font-semibold text-sm">
    <Ticket aria-hidden className="size-4.5" />
    {text}
  </h2>
)

/** Coupons that fit and that the member can download. */
function Offers({ offers }: { offers: readonly CouponOffer[] }) {
  const draw = useDrawCoupon()
  if (offers.length === 0) return null
  return (
    <section aria-label="받을 수 있는 쿠폰" className={BOX}>
      <Heading text="받을 수 있는 쿠폰" />
      <ul className="mt-2 grid gap-2 text-sm">
        {offers.map((offer) => (
          <li key={offer._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="wrap-anywhere min-w-0 flex-1 basis-40">
              {offer.name}
              <span className="wrap-anywhere block text-ink-3 text-xs">{offer.sentence}</span>
            </span>
            <Money amount={-(offer.takes ?? 0)} className="font-semibold text-accent" />
            <Button
              size="sm"
              variant="outline"
              aria-label={`${offer.name} 받기`}
              busy={draw.isPending && draw.variables._id === offer._id}
              onClick={() => draw.mutate(offer)}
            >
              <Download aria-hidden />
              받기
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
