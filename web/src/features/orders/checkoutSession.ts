// The items being checked out: lines of the member's cart, or products bought directly. Survives a reload and ends with the tab.
import type { LineWish, OrderForm, Party } from '../../api/types'
import { hasShape, isList, isText, isTexts, sessionItem } from '../../lib/storage'

/** Sender or receiver of an order, with the known fields. */
export type Person = Pick<Party, 'name' | 'phone'> & Partial<Party>
/** Sender, receiver and message copied from an earlier order. */
export type CheckoutParties = { sender?: Person | null; receiver?: Person | null; message?: string | null }
type CheckoutLines =
  | { carts: string[] }
  | {
      lines: LineWish[]
      /** The id of the guest cart they are lines of: each is ordered once, in whichever window. */
      guestCart?: string
    }
export type Checkout = CheckoutLines & { people?: CheckoutParties }
type OrderReference = { placed: string }

const isCarts = hasShape({ carts: isTexts })
const isLines = hasShape({ lines: isList<LineWish> })
const isPlaced = hasShape<OrderReference>({ placed: isText })
const stored = sessionItem(
  'jangbu.basket',
  (found): found is Checkout | OrderReference => isCarts(found) || isLines(found) || isPlaced(found),
)

export const startCheckout: (basket: Checkout) => void = stored.keep

/** Undefined when nothing is being checked out. */
export function readCheckout(): Checkout | undefined {
  const found = stored.read()
  return found && 'placed' in found ? undefined : found
}

/** After the order was placed: returning to the checkout opens the order instead of placing a second one. */
export const completeCheckout = (order: string): void => stored.keep({ placed: order })

/** The order this tab placed last; undefined while a new checkout is open. */
export function placedOrder(): string | undefined {
  const found = stored.read()
  return found && 'placed' in found ? found.placed : undefined
}

/** The lines as fields of the order form. */
export const checkoutLines = (basket: Checkout): Pick<OrderForm, '_carts' | 'carts' | '_cart'> =>
  'carts' in basket
    ? { _carts: basket.carts }
    : { carts: basket.lines, ...(basket.guestCart ? { _cart: basket.guestCart } : {}) }
