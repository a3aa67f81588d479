// The cart in general: how many lines it has, for the header (a guest's local cart, a member's on the server), and taking lines out.
import { call } from './client'
import { useRead } from './read'
import { sameLine, useLoggedIn, useSession } from './session'
import type { LineWish } from './wire'

/** Where the cart is read; invalidate `readKey(CARTS)` after changing it. */
export const CARTS = '/api/v1/me/carts'

export function useCartCount(): number {
  const loggedIn = useLoggedIn()
  const local = useSession((s) => s.carts.length)
  const { data } = useRead(CARTS, {}, { enabled: loggedIn, retry: false })
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
