// Logging in and out. What a guest collected in this browser goes to the server at login (spec V090, V091).
import { forgetTab } from '../lib/stored'
import { basic, call } from './client'
import { forgetPosition } from './position'
import { beginSession, clearGuestCart, endSession, forgetWatches, type Payload, useSession } from './session'

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

/** A line that the server refuses (sold out, gone) stays behind in the browser; the login itself still counts. */
async function pushCart(): Promise<void> {
  const { carts } = useSession.getState()
  if (carts.length === 0) return
  try {
    await call('POST', '/api/v1/me/carts', { body: { carts: carts.map(({ note: _, ...line }) => line) } })
    clearGuestCart()
  } catch {
    // Kept locally; the cart page shows both and pushes again at the next login.
  }
}

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

/** Ends the session in this browser, with what the tab remembers of it (the order being written, the position of own writes). */
export function logOut(): void {
  endSession()
  forgetTab()
}
