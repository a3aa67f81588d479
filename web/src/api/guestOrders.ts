// Access tokens of orders placed by guests, stored in this browser for the week they are valid.
import { hasShape, isNumber, isText, localItem } from '../lib/storage'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

const isKept = hasShape({ token: isText, until: isNumber })
const tokens = localItem<object>('jangbu.guestOrders', hasShape({}))

const validTokens = (now: number) =>
  Object.fromEntries(
    Object.entries(tokens.read() ?? {}).flatMap(([order, one]) =>
      isKept(one) && one.until > now ? [[order, one]] : [],
    ),
  )

/** Stores the token of a guest's order; only the server decides whether it is still valid. */
export function storeGuestOrder(order: string, token: string, now: number = Date.now()): void {
  tokens.keep({ ...validTokens(now), [order]: { token, until: now + WEEK_MS } })
}

/** The headers that authorize access to a guest's order; none for an unknown order. A member's own token takes precedence. */
export function guestOrderHeaders(order: string, now: number = Date.now()): Record<string, string> {
  const known = validTokens(now)[order]
  return known ? { Authorization: `Bearer ${known.token}` } : {}
}

/** Whether this browser has a token for the order as a guest's. */
export const isGuestOrder = (order: string): boolean => validTokens(Date.now())[order] !== undefined
