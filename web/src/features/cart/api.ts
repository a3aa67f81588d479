// The number of lines in the cart: a guest's local one, or the member's on the server.
import { invalidator, useApiQuery } from '../../api/query'
import { useLoggedIn, useSession } from '../../api/session'
import { INFO, useInfo } from '../notifications/unread'

/** The path of the cart; call `invalidateCart` after changing it. */
export const CARTS = '/api/v1/me/carts'

/** Another window may have changed it meanwhile. */
export const CART_READ = { retry: false, refetchOnWindowFocus: 'always' } as const

/** Refreshes the cart, and its number of lines, which the member's info has. */
export const invalidateCart = invalidator([CARTS, INFO])

export function useCartCount(): number {
  const loggedIn = useLoggedIn()
  const local = useSession((s) => s.carts.length)
  const me = useInfo()
  // Read by the page of the cart only.
  const cart = useApiQuery(CARTS, {}, { enabled: false })
  if (!loggedIn) return local
  return (cart.dataUpdatedAt > me.dataUpdatedAt ? cart.data?.carts.length : me.data?.user.cartCount) ?? 0
}
