// Persists the checkout form in sessionStorage, so that a reload or a visit to the cart loses nothing. Agreements and the bank account
// are not stored.
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session'
import type { Checkout } from '../../features/orders/checkoutSession'
import { hasShape, isText, sessionItem } from '../../lib/storage'
import type { CheckoutForm } from './checkoutForm'

type CheckoutDraft = Partial<CheckoutForm>
type StoredDraft = { who?: string; about: string; typed: CheckoutDraft }
const sheet = sessionItem<StoredDraft>('jangbu.sheet', hasShape({ about: isText, typed: hasShape<CheckoutDraft>({}) }))

const without = (typed: CheckoutDraft, ...names: (keyof CheckoutForm)[]): CheckoutDraft =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !names.some((one) => one === name)))

function keptFor(who: string | undefined, about: string): CheckoutDraft {
  const stored = sheet.read()
  if (!stored || stored.who !== who) return {}
  // Coupons and points were for those goods.
  return stored.about === about
    ? stored.typed
    : without(stored.typed, 'productCoupons', 'fareCoupons', 'totalCoupon', 'point', 'pointText')
}

/** The entries that override the form's defaults, and their setter. */
export function useCheckoutDraft(basket: Checkout): [typed: CheckoutDraft, change: (part: CheckoutDraft) => void] {
  const who = useSession((s) => s.payload?._user)
  const about = JSON.stringify(basket)
  const [typed, setTyped] = useState(() => keptFor(who, about))
  useEffect(() => {
    sheet.keep({ who, about, typed: without(typed, 'account', 'terms') })
  }, [who, about, typed])
  return [typed, (part) => setTyped((now) => ({ ...now, ...part }))]
}

/** After the order was placed. */
export const clearCheckoutDraft = sheet.forget
