// All requests to the server: bearer token, refresh, positions of own writes, idempotency keys and refusals as `ApiError`.
import { ko } from '../i18n/ko'
import { accessDeniedMessage, scopesOf } from './accessDenied'
import { forgetPosition, positionToWaitFor, rememberPosition } from './consistencyToken'
import { ApiError, errorOf, toApiError } from './errors'
import { newIdempotencyKey } from './idempotency'
import { expiresAt } from './jwt'
import { notifyUser } from './notify'
import type { Method, PathOf, RequestOf, ResponseOf } from './openapiTypes'
import { beginSession, endSession, rereadSession, type Tokens, useSession } from './session'
import { reportFreshness } from './staleReads'

const AUTH = '/api/auth/'
const MESSAGE_ON_ERROR = 'message-on-error'
/** POSTs that move goods or money get an `Idempotency-Key` even if the caller passes none. */
const MOVES_GOODS_OR_MONEY =
  /\/(orders|purchases|payments|moneys|points|coupons|withdraw|settlements|bonuses|reservations|taxinvoices|nicepayments|pay)(\/|$)/

/** Called when the server refuses to renew the session. */
let onSessionLost: () => void = () => undefined
/** Registered once by the app (spec V221). */
export function setSessionLostHandler(what: () => void): void {
  onSessionLost = what
}

let refreshing: Promise<boolean> | undefined

/** A refresh token is valid once, so tabs renew one after another; later ones find the tokens of the first. */
const inTurn = async (renew: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? await navigator.locks.request('jangbu.refresh', renew) : renew()

async function renewed(refreshToken: string): Promise<boolean> {
  rereadSession()
  const isTheSame = () => useSession.getState().refreshToken === refreshToken
  if (!isTheSame()) return useSession.getState().refreshToken !== undefined
  const response = await fetch(
    new Request(new URL('/api/auth/accessToken', location.origin), {
      headers: { Authorization: `Bearer ${refreshToken}` },
    }),
  )
  // Only a refusal ends the session; a failing server proves nothing about the token.
  if (!response.ok && response.status !== 401 && response.status !== 403) throw await errorOf(response)
  // The session may have ended (or another begun), here or in another tab, while the response was on its way.
  rereadSession()
  if (response.ok && isTheSame()) beginSession((await response.json()) as Tokens)
  else if (isTheSame()) loseSession()
  return response.ok && useSession.getState().refreshToken !== undefined
}

/** Gets new tokens; concurrent callers share one request. False: the session is over. */
export function refreshAccess(): Promise<boolean> {
  const { refreshToken } = useSession.getState()
  if (!refreshToken) return Promise.resolve(false)
  refreshing ??= inTurn(() => renewed(refreshToken)).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

const AGAIN_MS = [1_000, 5_000]

/** Revokes a refresh token; retried while the server does not respond. */
export async function revoke(refreshToken: string): Promise<void> {
  for (const wait of [0, ...AGAIN_MS]) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      const response = await fetch(new URL('/api/auth/refreshToken', location.origin), {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${refreshToken}` },
        // The page may close right after logging out.
        keepalive: true,
      })
      if (response.status < 500 && response.status !== 429) return
    } catch {
      // Offline: retry.
    }
  }
}

function loseSession(): void {
  endSession()
  forgetPosition()
  onSessionLost()
}

const SOON_MS = 10_000

/** Renews an expired access token before the reads of a navigation (spec V127). */
export async function checkAccess(now: number = Date.now()): Promise<void> {
  const { accessToken, refreshToken } = useSession.getState()
  if (!refreshToken) return
  const end = accessToken ? expiresAt(accessToken) : 0
  if (end === undefined || end - now > SOON_MS) return
  await refreshAccess()
}

function dress(request: Request): Request {
  const { accessToken } = useSession.getState()
  const { pathname } = new URL(request.url)
  if (accessToken && !pathname.startsWith(AUTH)) request.headers.set('Authorization', `Bearer ${accessToken}`)
  if (request.method === 'GET') {
    const position = positionToWaitFor()
    if (position) request.headers.set('X-Wait-Position', position)
  }
  if (request.method === 'POST' && MOVES_GOODS_OR_MONEY.test(pathname) && !request.headers.has('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', newIdempotencyKey())
  }
  return request
}

/** 401: refreshes once and resends; logs out if there is no new token or it is refused too (spec V220, V221). */
async function withToken(request: Request): Promise<Response> {
  const sender = useSession.getState().payload?._user
  const isLogin = new URL(request.url).pathname.startsWith(AUTH)
  let sentWith = request.headers.get('Authorization')
  let response = await fetch(request.clone())
  let refreshed = false
  while (response.status === 401 && !isLogin) {
    const { accessToken, refreshToken } = useSession.getState()
    if (!refreshToken) return response
    // Another call may have renewed the token while this one was under way.
    if (sentWith === `Bearer ${accessToken}`) {
      if (refreshed) {
        void revoke(refreshToken)
        loseSession()
        return response
      }
      if (!(await refreshAccess())) return response
      refreshed = true
    }
    // Never resend under the session of another member who logged in meanwhile.
    if (useSession.getState().payload?._user !== sender) return response
    sentWith = `Bearer ${useSession.getState().accessToken}`
    // A response that is not read keeps its connection open.
    void response.body?.cancel()
    const again = request.clone()
    again.headers.set('Authorization', sentWith)
    response = await fetch(again)
  }
  return response
}

/** Sends a request with token, position and idempotency key; throws refusals as {@link ApiError}. */
export async function send(request: Request): Promise<Response> {
  const wasLoggedIn = useSession.getState().refreshToken !== undefined
  let response: Response
  try {
    response = await withToken(dress(request))
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown
    throw toApiError(thrown)
  }
  if (request.method === 'GET') reportFreshness(new URL(request.url).pathname, response.headers.get('X-Stale') === '1')
  else rememberPosition(response.headers.get('X-Position'))
  if (response.ok) return response
  const error = await errorOf(response)
  if (error.status === 403) {
    const missing = scopesOf(error.details)
    const right = missing.length > 0 ? ko.session.missingScope(missing) : ko.session.missingRight
    const denied = error.code === 'access_denied' ? accessDeniedMessage(right) : error.message
    notifyUser(decoded(request.headers.get(MESSAGE_ON_ERROR)) ?? denied)
    error.alerted = true
  }
  // The user was already notified that the session is over.
  if (error.status === 401 && wasLoggedIn && !useSession.getState().refreshToken) error.alerted = true
  throw error
}

export function decoded(header: string | null): string | undefined {
  if (!header) return undefined
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

/** Header with the message shown instead of the server's on 403 (spec V222). */
export const messageOnError = (message: string): { 'message-on-error': string } => ({
  [MESSAGE_ON_ERROR]: encodeURIComponent(message),
})

/** Headers of a list call: page from 1, rows per page (spec V204). */
export const paged = (page: number, size: number): { skip: string; limit: string } => ({
  skip: String((page - 1) * size),
  limit: String(size),
})

/** Options of a call. `path` fills `{id}` segments; `query` omits undefined values and repeats arrays. */
export type CallOptions = {
  path?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  headers?: Record<string, string>
  /** Objects are sent as JSON, FormData as multipart. */
  body?: unknown
  signal?: AbortSignal
  /** The request survives leaving the page. */
  keepalive?: boolean
}

type RequestParameters<M extends Method, P extends PathOf<M>> = Omit<CallOptions, 'path' | 'query' | 'body'> &
  RequestOf<M, P>

/** Options are optional where the operation requires none. */
type OptionalRequestParameters<M extends Method, P extends PathOf<M>> =
  Record<never, never> extends RequestOf<M, P>
    ? [options?: RequestParameters<M, P>]
    : [options: RequestParameters<M, P>]

/** Typed by the OpenAPI document. */
type Call = <M extends Method, P extends PathOf<M>>(
  method: M,
  template: P,
  ...options: OptionalRequestParameters<M, P>
) => Promise<ResponseOf<M, P>>

async function answerTo(method: Method, template: string, options: CallOptions): Promise<unknown> {
  const response = await send(requestOf(method, template, options))
  if (response.status === 204 || response.headers.get('Content-Length') === '0') return undefined
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** The last command per address while it is in flight. */
const underWay = new Map<string, { fingerprint: string; answer: Promise<unknown> }>()

/**
 * Deduplicates commands in flight: the same command to the same address (double click, Enter held down) gets the first one's
 * response. A different command to the address in between makes it a new one.
 */
function commanded(method: Method, template: string, options: CallOptions): Promise<unknown> {
  const address = addressOf(template, options).href
  const fingerprint = JSON.stringify([method, options.body, options.headers, useSession.getState().payload?._user])
  const before = underWay.get(address)
  if (before?.fingerprint === fingerprint) return before.answer
  const answer = answerTo(method, template, options).finally(() => {
    if (underWay.get(address)?.answer === answer) underWay.delete(address)
  })
  underWay.set(address, { fingerprint, answer })
  return answer
}

/** A call to any address; pages use {@link call}. */
export async function request(method: Method, template: string, options: CallOptions = {}): Promise<unknown> {
  // Files cannot be compared, and an abortable call belongs to one caller.
  const isCommand = method !== 'GET' && !(options.body instanceof FormData) && options.signal === undefined
  return isCommand ? commanded(method, template, options) : answerTo(method, template, options)
}

/** `const { setting } = await call('GET', '/api/v1/setting')` */
export const call = request as Call

/** The address a call goes to. */
export function addressOf(template: string, { path = {}, query = {} }: CallOptions): URL {
  const address = new URL(
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = path[name]
      if (value === undefined) throw new ApiError(0, 'missing_path', `${template}: ${name}`)
      return encodeURIComponent(value)
    }),
    location.origin,
  )
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(name, String(one))
  }
  return address
}

export function requestOf(method: string, template: string, options: CallOptions): Request {
  const { headers = {}, body, signal, keepalive } = options
  const isForm = body instanceof FormData
  return new Request(addressOf(template, options), {
    method,
    headers: body === undefined || isForm ? headers : { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    signal,
    keepalive,
  })
}
