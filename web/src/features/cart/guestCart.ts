// A guest's cart, stored in this browser until the login.
import { newIdempotencyKey } from '../../api/idempotency'
import { type GuestCartLine, useSession } from '../../api/session'

type LineKey = Pick<GuestCartLine, '_product'> & { _option?: string | null }

/** Whether both have the same product and option. */
export const sameLine = (a: LineKey, b: LineKey): boolean =>
  a._product === b._product && (a._option ?? undefined) === (b._option ?? undefined)

/** Adds a line to the local cart; quantities of the same product and option are summed. */
export function addToGuestCart(line: GuestCartLine): void {
  const { carts } = useSession.getState()
  const known = carts.find((c) => sameLine(c, line))
  const quantity = (known?.quantity ?? 0) + line.quantity
  useSession.setState({ carts: known ? carts.map((c) => (c === known ? { ...line, quantity } : c)) : [...carts, line] })
}

/** Sets a local line's quantity; zero removes it. */
export function setGuestQuantity(line: GuestCartLine, quantity: number): void {
  const { carts } = useSession.getState()
  useSession.setState({
    carts: carts.flatMap((c) => (sameLine(c, line) ? (quantity > 0 ? [{ ...c, quantity }] : []) : [c])),
  })
}

/** Id of this browser's cart: an order names the cart of its lines, so that two windows order them once. */
export function guestCart(): string {
  const known = useSession.getState().cartId
  if (known) return known
  const made = newIdempotencyKey()
  useSession.setState({ cartId: made })
  return made
}

/** An order was placed from this cart: remaining and new lines belong to a new one, unless another window has renewed it already. */
export function renewGuestCart(ordered: string): void {
  if (useSession.getState().cartId === ordered) useSession.setState({ cartId: newIdempotencyKey() })
}
