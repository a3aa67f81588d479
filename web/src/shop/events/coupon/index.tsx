// The coupons that can be downloaded (R098).
import { Ticket } from 'lucide-react'
import { useApiQuery } from '../../../api/query'
import { CouponOffers } from '../../../features/coupons/CouponOffers'
import { OFFERS } from '../../../features/coupons/useDrawCoupon'
import { ButtonLink } from '../../../ui/Button'
import { EmptyState } from '../../../ui/states'
import { EventFrame, Loaded } from '../parts'

export function Component() {
  const offers = useApiQuery(OFFERS)
  return (
    <EventFrame lead="지금 내려받을 수 있는 쿠폰입니다.">
      <Loaded of={{ ...offers, data: offers.data?.coupons }}>
        {(coupons) =>
          coupons.length === 0 ? (
            <EmptyState
              icon={<Ticket />}
              title="내려받을 수 있는 쿠폰이 없습니다"
              text="새 쿠폰이 나오면 이곳에서 받을 수 있습니다."
              action={<ButtonLink to="/shop/products">전체 상품</ButtonLink>}
            />
          ) : (
            <>
              <h2 className="sr-only">쿠폰</h2>
              <CouponOffers coupons={coupons} next="/sub/event/coupon" />
            </>
          )
        }
      </Loaded>
    </EventFrame>
  )
}
