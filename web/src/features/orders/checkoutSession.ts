// What is being ordered: lines of the member's cart, or products bought at once. It survives a reload and ends with the tab.
import type { LineWish, OrderForm, Party } from '../../api/types'
import { hasShape, isList, isText, isTexts, sessionItem } from '../../lib/storage'

/** Somebody of an order, as far as it says. */
export type Person = Pick<Party, 'name' | 'phone'> & Partial<Party>
/** Who is on an order that is written anew. */
export type CheckoutParties = { sender?: Person | null; receiver?: Person | null; message?: string | null }
type Goods =
  | { carts: string[] }
  | {
      lines: LineWish[]
      /** The cart of this browser they are lines of: each is ordered once, in whichever window. */
      guestCart?: string
    }
export type Checkout = Goods & { people?: CheckoutParties }
type Placed = { placed: string }

const isCarts = hasShape({ carts: isTexts })
const isLines = hasShape({ lines: isList<LineWish> })
const isPlaced = hasShape<Placed>({ placed: isText })
const stored = sessionItem(
  'jangbu.basket',
  (found): found is Checkout | Placed => isCarts(found) || isLines(found) || isPlaced(found),
)

/** Remembers what the order sheet is to be about. */
export const startCheckout: (basket: Checkout) => void = stored.keep

/** What was remembered; undefined when nothing is being ordered. */
export function readCheckout(): Checkout | undefined {
  const found = stored.read()
  return found && 'placed' in found ? undefined : found
}

/** The order has been placed: coming back to the sheet leads to the order, not to a second one. */
export const completeCheckout = (order: string): void => stored.keep({ placed: order })

/** The order placed from this tab's sheet last; undefined while the sheet is about something new. */
export function placedOrder(): string | undefined {
  const found = stored.read()
  return found && 'placed' in found ? found.placed : undefined
}

/** The basket in the order form's words. */
export const checkoutLines = (basket: Checkout): Pick<OrderForm, '_carts' | 'carts' | '_cart'> =>
  'carts' in basket
    ? { _carts: basket.carts }
    : { carts: basket.lines, ...(basket.guestCart ? { _cart: basket.guestCart } : {}) }
