// The number of lines in the cart: a guest's local one, or the member's on the server.
import { useApiQuery } from '../../api/query'
import { useLoggedIn, useSession } from '../../api/session'

/** The path of the cart; invalidate `apiQueryKey(CARTS)` after changing it. */
export const CARTS = '/api/v1/me/carts'

/** Another window may have changed it meanwhile. */
export const CART_READ = { retry: false, refetchOnWindowFocus: 'always' } as const

export function useCartCount(): number {
  const loggedIn = useLoggedIn()
  const local = useSession((s) => s.carts.length)
  const { data } = useApiQuery(CARTS, {}, { ...CART_READ, enabled: loggedIn })
  return loggedIn ? (data?.carts?.length ?? 0) : local
}
