// Data embedded in the page is used for guests, and only while it is new.
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { server, withServer } from '../testing/server'
import { apiQueryOptions } from './query'
import { queryClient } from './queryClient'
import { beginSession, endSession, type Scope } from './session'

withServer()
document.body.insertAdjacentHTML(
  'beforeend',
  `<script type="application/json" id="__DATA__">${JSON.stringify({
    always: { '/api/plugins/nicepayments/config': { from: 'page' } },
    everybody: { '/api/v1/bandBanners?code=main': { from: 'page' } },
    guests: { '/api/v1/shop/products?limit=8&skip=0&sort=LATEST': { from: 'page' } },
  })}</script>`,
)

const LATEST = apiQueryOptions('/api/v1/shop/products', {
  query: { sort: 'LATEST', category: undefined },
  headers: { skip: '0', limit: '8' },
})

const CONFIG = apiQueryOptions('/api/plugins/nicepayments/config', {})
const BANDS = apiQueryOptions('/api/v1/bandBanners', { query: { code: 'main' } })

/** Identifies the source of a response. */
const from = (answer: unknown): string => (answer as { from: string }).from
const latest = async () => from(await queryClient.ensureQueryData(LATEST))
const bands = async () => from(await queryClient.ensureQueryData(BANDS))
const signIn = (...scope: Scope[]) =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope } })

beforeEach(() => {
  endSession()
  queryClient.clear()
  server.use(http.get('*/api/v1/*', () => HttpResponse.json({ from: 'server' })))
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('data embedded in the page', () => {
  it('is available to a guest before any request', async () => {
    expect(await latest()).toBe('page')
  })
  it('is not used for a member, whose data may differ', async () => {
    signIn()
    expect(await latest()).toBe('server')
  })
  it("is too old after the visitor's own command", async () => {
    sessionStorage.setItem('jangbu.position', JSON.stringify({ position: '7', at: Date.now() }))
    expect(await latest()).toBe('server')
    expect(await bands()).toBe('page')
  })
  it('is also used for members where it is the same for everybody; not for staff, who may have changed it', async () => {
    signIn()
    expect(await bands()).toBe('page')
    queryClient.clear()
    signIn('console')
    expect(await bands()).toBe('server')
  })
  it('is used by everybody, and after the first minute, where only a restart changes it', async () => {
    signIn('console')
    vi.spyOn(performance, 'now').mockReturnValue(600_000)
    expect(from(await queryClient.ensureQueryData(CONFIG))).toBe('page')
    expect(await latest()).toBe('server')
  })
})
