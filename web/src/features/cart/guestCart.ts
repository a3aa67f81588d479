// The cart of a guest, in this browser until the login.
import { newIdempotencyKey } from '../../api/idempotency'
import { type GuestCartLine, useSession } from '../../api/session'

type LineKey = Pick<GuestCartLine, '_product'> & { _option?: string | null }

/** Are both of the same product and option? */
export const sameLine = (a: LineKey, b: LineKey): boolean =>
  a._product === b._product && (a._option ?? undefined) === (b._option ?? undefined)

/** Puts a line into the local cart; the same product option adds up. */
export function addToGuestCart(line: GuestCartLine): void {
  const { carts } = useSession.getState()
  const known = carts.find((c) => sameLine(c, line))
  const quantity = (known?.quantity ?? 0) + line.quantity
  useSession.setState({ carts: known ? carts.map((c) => (c === known ? { ...line, quantity } : c)) : [...carts, line] })
}

/** Sets a local line's quantity; zero takes it out. */
export function setGuestQuantity(line: GuestCartLine, quantity: number): void {
  const { carts } = useSession.getState()
  useSession.setState({
    carts: carts.flatMap((c) => (sameLine(c, line) ? (quantity > 0 ? [{ ...c, quantity }] : []) : [c])),
  })
}

/** What the cart of this browser is called: an order says which cart its lines are of, so that two windows order them once. */
export function guestCart(): string {
  const known = useSession.getState().cartId
  if (known) return known
  const made = newIdempotencyKey()
  useSession.setState({ cartId: made })
  return made
}

/** An order was made of this cart: what is in it or comes in from now on is another's, unless another window saw to that. */
export function renewGuestCart(ordered: string): void {
  if (useSession.getState().cartId === ordered) useSession.setState({ cartId: newIdempotencyKey() })
}
