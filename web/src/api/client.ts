// The one way to the server: bearer token, refresh once, positions of own writes, idempotency keys and refusals as `ApiError`.
import { expiresAt } from '../lib/jwt'
import { alertReader } from './alerts'
import { ApiError, errorOf, toApiError } from './errors'
import { newIdempotencyKey } from './idempotency'
import { forgetPosition, positionToWaitFor, rememberPosition } from './position'
import { beginSession, endSession, rereadSession, type Tokens, useSession } from './session'
import { reportFreshness } from './stale'
import type { AnswerOf, CarriedBy, Method, PathOf, Undocumented } from './typed'

const AUTH = '/api/auth/'
const MESSAGE_ON_ERROR = 'message-on-error'
/** POSTs that move goods or money get an `Idempotency-Key` even when a screen forgot it. */
const MOVES_GOODS_OR_MONEY =
  /\/(orders|purchases|payments|moneys|points|coupons|withdraw|settlements|bonuses|reservations|taxinvoices|nicepayments|pay)(\/|$)/

/** Listens for the end of a session that the server refused to renew. */
let onSessionLost: () => void = () => undefined
/** Called once by the app: what to do when the login is gone (spec V221). */
export function whenSessionIsLost(what: () => void): void {
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
  // The session may have ended (or another begun) while the answer was on its way.
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

/** 401: refresh once and send again; no new token: log out (spec V220, V221). */
async function withToken(request: Request): Promise<Response> {
  const again = request.clone()
  const sentWith = request.headers.get('Authorization')
  const sender = useSession.getState().payload?._user
  const response = await fetch(request)
  const { accessToken, refreshToken } = useSession.getState()
  if (response.status !== 401 || !refreshToken || new URL(request.url).pathname.startsWith(AUTH)) return response
  // Another call may have renewed the token while this one was under way.
  if (sentWith === `Bearer ${accessToken}` && !(await refreshAccess())) return response
  // Somebody else may have logged in: they did not ask for this.
  if (useSession.getState().payload?._user !== sender) return response
  again.headers.set('Authorization', `Bearer ${useSession.getState().accessToken}`)
  return fetch(again)
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
    alertReader(decoded(request.headers.get(MESSAGE_ON_ERROR)) ?? error.message)
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

type Carried<M extends Method, P extends PathOf<M>> = Omit<CallOptions, 'path' | 'query' | 'body'> & CarriedBy<M, P>

/** What a documented call may leave out altogether. */
type MaybeCarried<M extends Method, P extends PathOf<M>> =
  Record<never, never> extends CarriedBy<M, P> ? [options?: Carried<M, P>] : [options: Carried<M, P>]

type Call = {
  /** What a documented call carries and answers is what the server's document says. */
  <M extends Method, P extends PathOf<M>>(
    method: M,
    template: P,
    ...options: MaybeCarried<M, P>
  ): Promise<AnswerOf<M, P>>
  /** For addresses made of parts, or not documented: `T` is the caller's word for the answer. */
  <T, P extends string = string>(method: Method, template: Undocumented<P>, options?: CallOptions): Promise<T>
}

/** `const { setting } = await call('GET', '/api/v1/setting')` */
export const call = (async (method: Method, template: string, options: CallOptions = {}): Promise<unknown> => {
  const response = await send(requestOf(method, template, options))
  if (response.status === 204 || response.headers.get('Content-Length') === '0') return undefined
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
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
