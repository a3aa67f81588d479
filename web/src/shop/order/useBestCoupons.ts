// The set of coupons that takes off most, of those worth trying: the server prices each.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { Preview } from '../../api/types'
import type { Checkout } from '../../features/orders/checkoutSession'
import { PREVIEW } from '../../features/orders/usePreview'
import { type CheckoutForm, priceForm } from './checkoutForm'
import { applied, type ChosenCoupons, couponSets, couponsOff } from './couponSets'

export type BestCoupons = { set: ChosenCoupons; off: number }

export function useBestCoupons(basket: Checkout, sheet: CheckoutForm, preview: Preview): BestCoupons | undefined {
  // Points come after coupons: they change none of them.
  const tries = couponSets(preview).map((set) => ({ set, form: priceForm(basket, { ...sheet, ...set, point: 0 }) }))
  const { data } = useQuery({
    queryKey: ['post', PREVIEW, 'best', tries],
    queryFn: async ({ signal }) => {
      const priced = await Promise.all(
        tries.map(async ({ set, form }) => {
          const answer = await call('POST', PREVIEW, { body: form, signal })
          return { set: applied(set, answer.quote.coupons), off: couponsOff(answer) }
        }),
      )
      return priced.reduce<BestCoupons | null>((best, one) => (best && best.off >= one.off ? best : one), null)
    },
    enabled: tries.length > 0,
    retry: false,
    staleTime: 60_000,
    meta: { suppressToast: true },
  })
  return data ?? undefined
}
