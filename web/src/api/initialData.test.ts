// What the page brought along is for guests, and only as long as it is new.
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { server, withServer } from '../testing/server'
import { apiQueryOptions } from './query'
import { queryClient } from './queryClient'
import { beginSession, endSession, type Scope } from './session'

withServer()
document.body.insertAdjacentHTML(
  'beforeend',
  `<script type="application/json" id="__DATA__">${JSON.stringify({
    everybody: { '/api/v1/bandBanners?code=main': { from: 'page' } },
    guests: { '/api/v1/shop/products?limit=8&skip=0&sort=LATEST': { from: 'page' } },
  })}</script>`,
)

const LATEST = apiQueryOptions('/api/v1/shop/products', {
  query: { sort: 'LATEST', category: undefined },
  headers: { skip: '0', limit: '8' },
})

const BANDS = apiQueryOptions('/api/v1/bandBanners', { query: { code: 'main' } })

/** Who answered: the answers of this test say nothing else. */
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

describe('the answer a page brought', () => {
  it('is there for a guest before anything is asked', async () => {
    expect(await latest()).toBe('page')
  })
  it('is not for a member, who may have another', async () => {
    signIn()
    expect(await latest()).toBe('server')
  })
  it('is too old for who has just changed something', async () => {
    sessionStorage.setItem('jangbu.position', JSON.stringify({ position: '7', at: Date.now() }))
    expect(await latest()).toBe('server')
    expect(await bands()).toBe('page')
  })
  it('is for a member, too, where the shop says the same to everybody; staff may have changed it', async () => {
    signIn()
    expect(await bands()).toBe('page')
    queryClient.clear()
    signIn('console')
    expect(await bands()).toBe('server')
  })
})
