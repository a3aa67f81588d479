// The session of this browser: tokens and their payload, and a guest's data before the login (cart, recently viewed).
import { create } from 'zustand'
import { forgetSearches } from '../lib/recentSearches'
import { hasShape, isList, localItem } from '../lib/storage'

/** Scopes in a token: staff and sellers (spec V179). */
export type Scope = 'console' | 'company'
/** Kinds of members (spec V195). */
export type UserType = 'PERSON' | 'COMPANY' | 'OPERATOR'

/** The token's claims about its bearer. */
export type Payload = { _user: string; userType: UserType; scope: Scope[] }

/** A line of the guest's cart. `note` is what was shown when it was added; the server sets the price. */
export type GuestCartLine = {
  _product: string
  _option?: string
  quantity: number
  note?: { name: string; optionName?: string; thumb?: string; unitPrice: number }
}

/** A recently viewed product. */
export type RecentProduct = { _product: string; name: string; thumb?: string }

/** The response to a login or a token refresh. */
export type Tokens = { refreshToken: string; accessToken: string; payload: Payload }

type SessionState = {
  refreshToken?: string
  accessToken?: string
  payload?: Payload
  carts: GuestCartLine[]
  /** Id of this browser's cart, in all its windows, until an order is placed from it. */
  cartId?: string
  /** Products viewed by a guest, newest first (spec V091). */
  watches: RecentProduct[]
  /** The checkout form's pick-up choice. */
  pickup?: unknown
  /** Codes of the terms accepted while joining. */
  agreements: string[]
}

const NOBODY: SessionState = {
  refreshToken: undefined,
  accessToken: undefined,
  payload: undefined,
  carts: [],
  cartId: undefined,
  watches: [],
  pickup: undefined,
  agreements: [],
}

const KEPT_WATCHES = 20
const NAME = 'jangbu.session'
type StoredSession = { state: SessionState; version: number }
const stored = localItem(NAME, hasShape<StoredSession>({ state: hasShape<SessionState>({}) }))

/** The stored session over an empty one: fields that another tab has cleared must not survive here. */
function storedSession(): SessionState {
  const session = { ...NOBODY, ...stored.read()?.state }
  // An earlier version stored plain ids there.
  return {
    ...session,
    watches: (isList<RecentProduct>(session.watches) ? session.watches : []).filter(
      (watch) => typeof watch === 'object',
    ),
  }
}

/** The session; in components `useSession((s) => s.payload)`, elsewhere `useSession.getState()`. */
export const useSession = create<SessionState>()(storedSession)

/** The last state read from storage: it is not written back. */
let reread: SessionState | undefined
useSession.subscribe((state) => {
  if (state !== reread) stored.keep({ state, version: 0 })
})

/** Takes over what another tab has stored; without storage there is nothing newer. */
export function rereadSession(): void {
  if (!stored.read()) return
  reread = storedSession()
  useSession.setState(reread, true)
}

/** Called when another tab has logged out. */
let onEndedElsewhere: () => void = () => undefined
/** Registered once by the app. */
export function setEndedElsewhereHandler(what: () => void): void {
  onEndedElsewhere = what
}

// A login or logout in another tab applies here too.
window.addEventListener('storage', async (event) => {
  if (event.key !== NAME) return
  const before = useSession.getState().payload
  await rereadSession()
  if (before && !useSession.getState().payload) onEndedElsewhere()
})

function set(part: Partial<SessionState>): void {
  useSession.setState(part)
}

/** Starts a session, or takes over renewed tokens. */
export const beginSession = (tokens: Tokens): void => set(tokens)

/** Clears all session data and the local cart, pick-up, recently viewed products and accepted terms (spec V125, V126). */
export function endSession(): void {
  set(NOBODY)
  forgetSearches()
}

/** Records that a guest viewed a product: newest first, without duplicates. */
export function rememberWatch(product: RecentProduct): void {
  const others = useSession.getState().watches.filter((known) => known._product !== product._product)
  set({ watches: [product, ...others].slice(0, KEPT_WATCHES) })
}

/** Empties the local list: after it was pushed to the server, or at the guest's request. */
export const forgetWatches = (): void => set({ watches: [] })

/** Stores the accepted terms until the join form is sent. */
export const setAgreements = (agreements: string[]): void => set({ agreements })

/** Stores the pick-up choice between the checkout's steps. */
export const setPickup = (pickup: unknown): void => set({ pickup })

export const useLoggedIn = (): boolean => useSession((s) => s.refreshToken !== undefined)
