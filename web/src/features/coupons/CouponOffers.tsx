// Coupons on offer, each with what it does in one sentence; a guest is asked to log in.
import { Download } from 'lucide-react'
import { useSession } from '../../api/session'
import type { CouponOffer } from '../../api/types'
import { Button, ButtonLink } from '../../ui/Button'
import { useDrawCoupon } from './useDrawCoupon'

export function CouponOffers({ coupons, next }: { coupons: readonly CouponOffer[]; next: string }) {
  const isMember = useSession((s) => s.payload !== undefined)
  const draw = useDrawCoupon()
  return (
    <ul className="grid gap-4 sm:grid-cols-2 md:grid-cols-3">
      {coupons.map((coupon) => (
        <li key={coupon._id} className="flex flex-col justify-between gap-4 rounded-lg border border-line p-5">
          <div>
            <h3 className="wrap-anywhere font-bold text-lg">{coupon.name}</h3>
            <p className="wrap-anywhere mt-1 text-ink-2 text-sm">{coupon.sentence}</p>
          </div>
          {!isMember ? (
            <ButtonLink to={`/login?next=${encodeURIComponent(next)}`} variant="outline">
              로그인하고 받기
            </ButtonLink>
          ) : coupon.drawn ? (
            <ButtonLink to="/mypage/coupons" variant="outline">
              받은 쿠폰 보기
            </ButtonLink>
          ) : (
            <Button
              variant="outline"
              aria-label={`${coupon.name} 받기`}
              busy={draw.isPending && draw.variables._id === coupon._id}
              onClick={() => draw.mutate(coupon)}
            >
              <Download aria-hidden />
              받기
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
