// The cart: the number of lines of a guest's local cart or of the member's on the server, and removing ordered lines.
import { call } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { sameLine, useLoggedIn, useSession } from '../../api/session'
import type { LineWish } from '../../api/types'

/** Where the cart is read; invalidate `apiQueryKey(CARTS)` after changing it. */
export const CARTS = '/api/v1/me/carts'

export function useCartCount(): number {
  const loggedIn = useLoggedIn()
  const local = useSession((s) => s.carts.length)
  const { data } = useApiQuery(CARTS, {}, { enabled: loggedIn, retry: false })
  return loggedIn ? (data?.carts?.length ?? 0) : local
}

/** Takes as much of each product option out of the member's cart as was ordered of it. */
export async function takeOutOfCart(ordered: readonly LineWish[]): Promise<void> {
  const { carts } = await call('GET', CARTS, {})
  for (const line of carts) {
    const wish = ordered.find((one) => sameLine(one, line))
    if (!wish) continue
    const path = { id: line._id }
    const left = line.quantity - wish.quantity
    if (left > 0) await call('PUT', `${CARTS}/{id}`, { path, body: { quantity: left } })
    else await call('DELETE', `${CARTS}/{id}`, { path })
  }
}
