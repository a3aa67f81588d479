// What was typed into the order sheet stays with the tab: a reload or a look back at the cart loses none of it. Terms are agreed to
// anew, and an account for refunds is not written down.
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session'
import type { Checkout } from '../../features/orders/checkoutSession'
import { hasShape, isText, sessionItem } from '../../lib/storage'
import type { CheckoutForm } from './checkoutForm'

type Typed = Partial<CheckoutForm>
type Kept = { who?: string; about: string; typed: Typed }
const sheet = sessionItem<Kept>('jangbu.sheet', hasShape({ about: isText, typed: hasShape<Typed>({}) }))

const without = (typed: Typed, ...names: (keyof CheckoutForm)[]): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !names.some((one) => one === name)))

function keptFor(who: string | undefined, about: string): Typed {
  const kept = sheet.read()
  if (!kept || kept.who !== who) return {}
  // Coupons and points were for those goods.
  return kept.about === about
    ? kept.typed
    : without(kept.typed, 'productCoupons', 'fareCoupons', 'totalCoupon', 'point')
}

/** What was typed over what the shop fills in by itself, and how to type more. */
export function useCheckoutDraft(basket: Checkout): [typed: Typed, change: (part: Typed) => void] {
  const who = useSession((s) => s.payload?._user)
  const about = JSON.stringify(basket)
  const [typed, setTyped] = useState(() => keptFor(who, about))
  useEffect(() => {
    sheet.keep({ who, about, typed: without(typed, 'account', 'terms') })
  }, [who, about, typed])
  return [typed, (part) => setTyped((now) => ({ ...now, ...part }))]
}

/** The order has been placed. */
export const clearCheckoutDraft = sheet.forget
