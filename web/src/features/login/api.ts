// Logging in and out. What a guest collected in this browser goes to the server at login (spec V090, V091).

import { basic, call, revoke } from '../../api/client'
import { forgetPosition } from '../../api/consistencyToken'
import { toApiError } from '../../api/errors'
import { notifyUser } from '../../api/notify'
import {
  beginSession,
  endSession,
  forgetWatches,
  type GuestCartLine,
  type Payload,
  setGuestQuantity,
  useSession,
} from '../../api/session'
import { ko } from '../../i18n/ko'
import { clearSessionItems } from '../../lib/storage'
import { CARTS } from '../cart/api'

/** Checks name and password and starts the session; throws the server's refusal. */
export async function logIn(username: string, password: string): Promise<Payload> {
  const login = await call('GET', '/api/auth/refreshToken', {
    headers: { Authorization: basic(username, password) },
  })
  // The position belongs to whoever wrote before.
  forgetPosition()
  beginSession(login)
  await Promise.all([pushCart(), pushWatches()])
  return login.payload
}

/** The line itself is refused: another try would be, too. */
const REFUSED = [400, 404, 409, 422]

let pushing: Promise<void> | undefined

/**
 * Takes what a guest put into the cart to the member's, line by line, so that no line is lost or comes twice: what has arrived
 * leaves the browser, what can be bought no more is told by name and leaves too, and the rest is kept for the next try.
 * The login itself counts in any case.
 */
export function pushCart(): Promise<void> {
  pushing ??= pushLines().finally(() => {
    pushing = undefined
  })
  return pushing
}

async function pushLines(): Promise<void> {
  const refused: string[] = []
  for (const line of useSession.getState().carts) {
    // Who has logged out meanwhile left nothing to push.
    if (!useSession.getState().carts.includes(line)) continue
    try {
      await pushLine(line)
    } catch (thrown) {
      const { status, message } = toApiError(thrown)
      // The server does not answer now: nor will it for the next line.
      if (!REFUSED.includes(status)) break
      refused.push(ko.cart.refusal(line.note?.name, status === 404 ? ko.cart.notSold : message))
    }
    setGuestQuantity(line, 0)
  }
  if (refused.length > 0) notifyUser([ko.cart.leftBehind, ...refused].join('\n'))
}

const pushLine = ({ note: _, ...line }: GuestCartLine): Promise<unknown> => call('POST', CARTS, { body: line })

async function pushWatches(): Promise<void> {
  const { watches } = useSession.getState()
  if (watches.length === 0) return
  try {
    // Newest first, as they are kept here.
    await call('POST', '/api/v1/me/watches', { body: { _products: watches.map(({ _product }) => _product) } })
    forgetWatches()
  } catch {
    // Kept locally, as above.
  }
}

/** Ends the session, here and at the server; in this browser with what the tab remembers of it (the order being written, the position of own writes). */
export function logOut(): void {
  const { refreshToken } = useSession.getState()
  if (refreshToken) void revoke(refreshToken)
  endSession()
  clearSessionItems()
}
