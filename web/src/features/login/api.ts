// Login. A guest's data in this browser is sent to the server at login (spec V090, V091).

import { call } from '../../api/client'
import { forgetPosition } from '../../api/consistencyToken'
import { toApiError } from '../../api/errors'
import { notifyUser } from '../../api/notify'
import { beginSession, forgetWatches, type GuestCartLine, type Payload, useSession } from '../../api/session'
import { CARTS } from '../cart/api'
import { setGuestQuantity } from '../cart/guestCart'
import { cartWords } from '../cart/words'

/** UTF-8 safe Basic credentials. */
export function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))}`
}

/** Checks username and password and starts the session; throws the server's refusal. */
export async function logIn(username: string, password: string): Promise<Payload> {
  const login = await call('GET', '/api/auth/refreshToken', {
    headers: { Authorization: basic(username, password) },
  })
  // The consistency token belongs to the previous session.
  forgetPosition()
  beginSession(login)
  await Promise.all([pushCart(), pushWatches()])
  return login.payload
}

/** Status codes that refuse the line itself: a retry would be refused, too. */
const REFUSED = [400, 404, 409, 422]

let pushing: Promise<void> | undefined

/**
 * Moves the guest's cart to the member's, line by line, so that no line is lost or duplicated: accepted lines leave the browser, refused
 * ones are reported by name and leave too, and the rest stays for the next try. The login succeeds in any case.
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
    // A logout meanwhile has emptied the cart.
    if (!useSession.getState().carts.includes(line)) continue
    try {
      await pushLine(line)
    } catch (thrown) {
      const { status, message } = toApiError(thrown)
      // The server is unreachable: the next line would fail, too.
      if (!REFUSED.includes(status)) break
      refused.push(cartWords.refusal(line.note?.name, status === 404 ? cartWords.notSold : message))
    }
    setGuestQuantity(line, 0)
  }
  if (refused.length > 0) notifyUser([cartWords.leftBehind, ...refused].join('\n'))
}

const pushLine = ({ note: _, ...line }: GuestCartLine): Promise<unknown> => call('POST', CARTS, { body: line })

async function pushWatches(): Promise<void> {
  const { watches } = useSession.getState()
  if (watches.length === 0) return
  try {
    // Newest first, as stored here.
    await call('POST', '/api/v1/me/watches', { body: { _products: watches.map(({ _product }) => _product) } })
    forgetWatches()
  } catch {
    // They stay here for the next login.
  }
}
