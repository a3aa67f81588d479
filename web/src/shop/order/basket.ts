// What is being ordered: lines of the member's cart, or products bought at once. It survives a reload and ends with the tab.
import type { LineWish, OrderForm } from '../../api/wire'

const KEY = 'jangbu.basket'

export type Basket = { carts: string[] } | { lines: LineWish[]; fromGuestCart?: true }

/** Remembers what the order sheet is to be about. */
export function fillBasket(basket: Basket): void {
  sessionStorage.setItem(KEY, JSON.stringify(basket))
}

/** What was remembered; undefined when nothing is being ordered. */
export function readBasket(): Basket | undefined {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return typeof found === 'object' && found !== null && ('carts' in found || 'lines' in found)
      ? (found as Basket)
      : undefined
  } catch {
    return undefined
  }
}

/** The order has been placed: coming back to the sheet leads to the order, not to a second one. */
export function markPlaced(order: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ placed: order }))
}

/** The order placed from this tab's sheet last; undefined while the sheet is about something new. */
export function placedOrder(): string | undefined {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    const placed = typeof found === 'object' && found !== null && 'placed' in found ? found.placed : undefined
    return typeof placed === 'string' ? placed : undefined
  } catch {
    return undefined
  }
}

/** The basket in the order form's words. */
export const basketLines = (basket: Basket): Pick<OrderForm, '_carts' | 'carts'> =>
  'carts' in basket ? { _carts: basket.carts } : { carts: basket.lines }
