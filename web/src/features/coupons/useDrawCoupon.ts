// Downloads a coupon on offer into the member's box.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { apiQueryKey } from '../../api/query'
import type { CouponOffer } from '../../api/types'
import { toast } from '../../ui/toast'
import { PREVIEW } from '../orders/usePreview'

export const OFFERS = '/api/v1/shop/coupons'
const MY_COUPONS = '/api/v1/me/coupons'

export function useDrawCoupon() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (coupon: CouponOffer) => call('POST', MY_COUPONS, { body: { _coupon: coupon._id } }),
    onSuccess: (_, coupon) => void toast(`‘${coupon.name}’ 쿠폰을 받았습니다.`, { tone: 'success' }),
    // Even when it was refused, what is on offer has changed, and what the coupons of the box take off.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: apiQueryKey(MY_COUPONS).slice(0, 2) }),
        queryClient.invalidateQueries({ queryKey: apiQueryKey(OFFERS).slice(0, 2) }),
        queryClient.invalidateQueries({ queryKey: ['post', PREVIEW] }),
      ]),
  })
}
