// The session of this browser: tokens and their payload, and what a guest collects before the login (cart, recently viewed).
import { create } from 'zustand'
import { forgetSearches } from '../lib/recentSearches'
import { hasShape, isList, localItem } from '../lib/storage'

/** Scopes in a token: staff and sellers (spec V179). */
export type Scope = 'console' | 'company'
/** Kinds of members (spec V195). */
export type UserType = 'PERSON' | 'COMPANY' | 'OPERATOR'

/** What the token says about its bearer. */
export type Payload = { _user: string; userType: UserType; scope: Scope[] }

/** A line of the guest's cart. `note` is what was shown when it was added; the server prices it. */
export type GuestCartLine = {
  _product: string
  _option?: string
  quantity: number
  note?: { name: string; optionName?: string; thumb?: string; unitPrice: number }
}

/** A product looked at lately. */
export type RecentProduct = { _product: string; name: string; thumb?: string }

/** The answer to a login or to a renewal of its tokens. */
export type Tokens = { refreshToken: string; accessToken: string; payload: Payload }

type SessionState = {
  refreshToken?: string
  accessToken?: string
  payload?: Payload
  carts: GuestCartLine[]
  /** What this browser calls its cart, in all its windows, until an order was made of it. */
  cartId?: string
  /** Products looked at by a guest, newest first (spec V091). */
  watches: RecentProduct[]
  /** The checkout form's pick-up choice. */
  pickup?: unknown
  /** Codes of the terms agreed to while joining. */
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

/** What is stored, over an empty session: what another tab has cleared must not survive here. */
function storedSession(): SessionState {
  const session = { ...NOBODY, ...stored.read()?.state }
  // An earlier version stored bare ids there.
  return {
    ...session,
    watches: (isList<RecentProduct>(session.watches) ? session.watches : []).filter(
      (watch) => typeof watch === 'object',
    ),
  }
}

/** The session; in components `useSession((s) => s.payload)`, elsewhere `useSession.getState()`. */
export const useSession = create<SessionState>()(storedSession)

/** The last state that came from storage: it is not written back. */
let reread: SessionState | undefined
useSession.subscribe((state) => {
  if (state !== reread) stored.keep({ state, version: 0 })
})

/** Takes over what another tab has stored; a browser that stores nothing has nothing newer. */
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

// A login or logout in another tab counts here too.
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

/** Clears all session data and the local cart, pick-up, watches and agreements (spec V125, V126). */
export function endSession(): void {
  set(NOBODY)
  forgetSearches()
}

/** Notes that a guest looked at a product: newest first, each once. */
export function rememberWatch(product: RecentProduct): void {
  const others = useSession.getState().watches.filter((known) => known._product !== product._product)
  set({ watches: [product, ...others].slice(0, KEPT_WATCHES) })
}

/** Empties the local list: pushed to the server, or the guest wants it forgotten. */
export const forgetWatches = (): void => set({ watches: [] })

/** Keeps the terms agreed to until the join form is sent. */
export const setAgreements = (agreements: string[]): void => set({ agreements })

/** Keeps the pick-up choice between the order sheet's steps. */
export const setPickup = (pickup: unknown): void => set({ pickup })

export const useLoggedIn = (): boolean => useSession((s) => s.refreshToken !== undefined)
