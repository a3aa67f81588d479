// The one way to the server: bearer token, refresh once, positions of own writes, idempotency keys and refusals as `ApiError`.
import { ko } from '../i18n/ko'
import { expiresAt } from '../lib/jwt'
import { accessDeniedMessage, scopesOf } from './accessDenied'
import { forgetPosition, positionToWaitFor, rememberPosition } from './consistencyToken'
import { ApiError, errorOf, toApiError } from './errors'
import { newIdempotencyKey } from './idempotency'
import { notifyUser } from './notify'
import type { Method, PathOf, RequestOf, ResponseOf, Undocumented } from './openapiTypes'
import { beginSession, endSession, rereadSession, type Tokens, useSession } from './session'
import { reportFreshness } from './staleReads'

const AUTH = '/api/auth/'
const MESSAGE_ON_ERROR = 'message-on-error'
/** POSTs that move goods or money get an `Idempotency-Key` even when a screen forgot it. */
const MOVES_GOODS_OR_MONEY =
  /\/(orders|purchases|payments|moneys|points|coupons|withdraw|settlements|bonuses|reservations|taxinvoices|nicepayments|pay)(\/|$)/

/** Listens for the end of a session that the server refused to renew. */
let onSessionLost: () => void = () => undefined
/** Called once by the app: what to do when the login is gone (spec V221). */
export function setSessionLostHandler(what: () => void): void {
  onSessionLost = what
}

let refreshing: Promise<boolean> | undefined

/** A refresh token is good once, so the tabs take turns: who comes later finds what the first one got. */
const inTurn = async (renew: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? await navigator.locks.request('jangbu.refresh', renew) : renew()

async function renewed(refreshToken: string): Promise<boolean> {
  await rereadSession()
  const isTheSame = () => useSession.getState().refreshToken === refreshToken
  if (!isTheSame()) return useSession.getState().refreshToken !== undefined
  const response = await fetch(
    new Request(new URL('/api/auth/accessToken', location.origin), {
      headers: { Authorization: `Bearer ${refreshToken}` },
    }),
  )
  // Only a refusal ends the session; a server that is down says nothing about the token.
  if (!response.ok && response.status !== 401 && response.status !== 403) throw await errorOf(response)
  // The session may have ended (or another begun), here or in another tab, while the answer was on its way.
  await rereadSession()
  if (response.ok && isTheSame()) beginSession((await response.json()) as Tokens)
  else if (isTheSame()) loseSession()
  return response.ok && useSession.getState().refreshToken !== undefined
}

/** Gets new tokens; callers at the same time share one request. False: the session is over. */
export function refreshAccess(): Promise<boolean> {
  const { refreshToken } = useSession.getState()
  if (!refreshToken) return Promise.resolve(false)
  refreshing ??= inTurn(() => renewed(refreshToken)).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

const AGAIN_MS = [1_000, 5_000]

/** Tells the server that a session is over: its refresh token is worth nothing any more. A server that does not answer is asked again. */
export async function revoke(refreshToken: string): Promise<void> {
  for (const wait of [0, ...AGAIN_MS]) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      const response = await fetch(new URL('/api/auth/refreshToken', location.origin), {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${refreshToken}` },
        // Logging out may be the last thing the page does.
        keepalive: true,
      })
      if (response.status < 500 && response.status !== 429) return
    } catch {
      // Offline: again.
    }
  }
}

function loseSession(): void {
  endSession()
  forgetPosition()
  onSessionLost()
}

const SOON_MS = 10_000

/** The check on each navigation (spec V127): an access token that has run out is renewed before the page asks with it. */
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

/** 401: refresh once and send again; no new token, or one that is refused too: log out (spec V220, V221). */
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
    // Somebody else may have logged in: they did not ask for this.
    if (useSession.getState().payload?._user !== sender) return response
    sentWith = `Bearer ${useSession.getState().accessToken}`
    const again = request.clone()
    again.headers.set('Authorization', sentWith)
    response = await fetch(again)
  }
  return response
}

/** Sends one request through all the house rules; a refusal is thrown as {@link ApiError}. */
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
  // The app has said that the session is over.
  if (error.status === 401 && wasLoggedIn && !useSession.getState().refreshToken) error.alerted = true
  throw error
}

function decoded(header: string | null): string | undefined {
  if (!header) return undefined
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

/** What a reader without the right sees instead of the server's message (spec V222). */
export const messageOnError = (message: string): { 'message-on-error': string } => ({
  [MESSAGE_ON_ERROR]: encodeURIComponent(message),
})

/** Headers of a list call: page from 1, rows per page (spec V204). */
export const paged = (page: number, size: number): { skip: string; limit: string } => ({
  skip: String((page - 1) * size),
  limit: String(size),
})

/** What a call carries. `path` fills `{id}` places; `query` leaves out undefined values and repeats arrays. */
export type CallOptions = {
  path?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  headers?: Record<string, string>
  /** An object goes as JSON, FormData as multipart. */
  body?: unknown
  signal?: AbortSignal
  /** The call outlives the page that sent it. */
  keepalive?: boolean
}

type Carried<M extends Method, P extends PathOf<M>> = Omit<CallOptions, 'path' | 'query' | 'body'> & RequestOf<M, P>

/** What a documented call may leave out altogether. */
type MaybeCarried<M extends Method, P extends PathOf<M>> =
  Record<never, never> extends RequestOf<M, P> ? [options?: Carried<M, P>] : [options: Carried<M, P>]

type Call = {
  /** What a documented call carries and answers is what the server's document says. */
  <M extends Method, P extends PathOf<M>>(
    method: M,
    template: P,
    ...options: MaybeCarried<M, P>
  ): Promise<ResponseOf<M, P>>
  /** For addresses made of parts, or not documented: `T` is the caller's word for the answer. */
  <T, P extends string = string>(method: Method, template: Undocumented<P>, options?: CallOptions): Promise<T>
}

async function answerTo(method: Method, template: string, options: CallOptions): Promise<unknown> {
  const response = await send(requestOf(method, template, options))
  if (response.status === 204 || response.headers.get('Content-Length') === '0') return undefined
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** The last command sent to an address, while it is under way. */
const underWay = new Map<string, { said: string; answer: Promise<unknown> }>()

/**
 * Sends a command once: who asks for the same again before it is answered (a button pressed twice, Enter held down) gets the answer
 * of the first. Another command to the same address in between makes it a new one.
 */
function commanded(method: Method, template: string, options: CallOptions): Promise<unknown> {
  const address = addressOf(template, options).href
  const said = JSON.stringify([method, options.body, options.headers, useSession.getState().payload?._user])
  const before = underWay.get(address)
  if (before?.said === said) return before.answer
  const answer = answerTo(method, template, options).finally(() => {
    if (underWay.get(address)?.answer === answer) underWay.delete(address)
  })
  underWay.set(address, { said, answer })
  return answer
}

/** `const { setting } = await call('GET', '/api/v1/setting')` */
export const call = (async (method: Method, template: string, options: CallOptions = {}): Promise<unknown> => {
  // A file says nothing of itself, and what can be called back is one caller's own.
  const isCommand = method !== 'GET' && !(options.body instanceof FormData) && options.signal === undefined
  return isCommand ? commanded(method, template, options) : answerTo(method, template, options)
}) as Call

/** A file the server makes, with the name it gives it. */
export async function download(template: string, options: CallOptions = {}): Promise<{ blob: Blob; name: string }> {
  const response = await send(requestOf('GET', template, options))
  const said = response.headers.get('Content-Disposition') ?? ''
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(said)?.[1]
  const name = coded ? decoded(coded) : /filename="?([^";]+)"?/i.exec(said)?.[1]
  return { blob: await response.blob(), name: name ?? 'download' }
}

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

function requestOf(method: string, template: string, options: CallOptions): Request {
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

/** UTF-8 safe Basic credentials. */
export function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))}`
}
