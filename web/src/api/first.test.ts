// What the page brought along is for guests, and only as long as it is new.
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { server, withServer } from '../testing/server'
import { queryClient } from './query'
import { readOptions } from './read'
import { beginSession, endSession } from './session'

withServer()
document.body.insertAdjacentHTML(
  'beforeend',
  `<script type="application/json" id="__DATA__">${JSON.stringify({
    '/api/v1/shop/products?limit=8&skip=0&sort=LATEST': { from: 'page' },
  })}</script>`,
)

const LATEST = readOptions<{ from: string }>('/api/v1/shop/products', {
  query: { sort: 'LATEST', category: undefined },
  headers: { skip: '0', limit: '8' },
})

const read = async () => (await queryClient.ensureQueryData(LATEST)).from

beforeEach(() => {
  endSession()
  queryClient.clear()
  server.use(http.get('*/api/v1/shop/products', () => HttpResponse.json({ from: 'server' })))
})

describe('the answer a page brought', () => {
  it('is there for a guest before anything is asked', async () => {
    expect(await read()).toBe('page')
  })
  it('is not for a member, who may have another', async () => {
    beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
    expect(await read()).toBe('server')
  })
  it('is too old for who has just changed something', async () => {
    sessionStorage.setItem('jangbu.position', JSON.stringify({ position: '7', at: Date.now() }))
    expect(await read()).toBe('server')
  })
})
