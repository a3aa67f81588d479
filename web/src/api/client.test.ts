// The client layer against a mock server: token refresh, refusals, positions and idempotency.
import { waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { basic, logIn } from '../features/login/api'
import { logOut } from '../features/login/logout'
import { rememberSearch } from '../lib/recentSearches'
import { server, withServer } from '../testing/server'
import { call, checkAccess, messageOnError, paged, request, setSessionLostHandler } from './client'
import { forgetPosition } from './consistencyToken'
import { ApiError } from './errors'
import { setNotifier } from './notify'
import { beginSession, endSession, useSession } from './session'
import { onFreshness } from './staleReads'

withServer()
const alert = vi.fn()
const lost = vi.fn()
const PAYLOAD = { _user: 'u1', userType: 'PERSON' as const, scope: [] }

beforeEach(() => {
  vi.clearAllMocks()
  setNotifier(alert)
  setSessionLostHandler(lost)
  endSession()
  forgetPosition()
})

const logInAs = (accessToken: string) => beginSession({ refreshToken: 'refresh', accessToken, payload: PAYLOAD })
const inAnotherTab = (session: object) =>
  localStorage.setItem('jangbu.session', JSON.stringify({ state: session, version: 0 }))
const refused = (status: number, message: string, code = 'x') =>
  HttpResponse.json({ error: { code, message } }, { status })

/** A server that accepts only the token `new`, and issues it for a refresh token that is valid once. */
function serverWithNewToken() {
  const seen = { refreshes: 0, calls: [] as (string | null)[] }
  let good = 'refresh'
  server.use(
    http.get('*/api/auth/accessToken', ({ request }) => {
      if (request.headers.get('Authorization') !== `Bearer ${good}`) return refused(401, 'no')
      seen.refreshes += 1
      good = `refresh${seen.refreshes}`
      return HttpResponse.json({ refreshToken: good, accessToken: 'new', payload: PAYLOAD })
    }),
    http.all('*/api/v1/thing/:n', async ({ request }) => {
      seen.calls.push(request.headers.get('Authorization'))
      if (request.headers.get('Authorization') !== 'Bearer new') return refused(401, 'expired')
      return HttpResponse.json({ body: request.method === 'POST' ? await request.json() : null })
    }),
  )
  return seen
}

/** A server that records revoked refresh tokens. */
function serverThatRevokes() {
  const revoked: (string | null)[] = []
  server.use(
    http.delete('*/api/auth/refreshToken', ({ request }) => {
      revoked.push(request.headers.get('Authorization'))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return revoked
}

describe('an expired access token (V220, V221)', () => {
  it('is refreshed once for many calls, and each is sent again', async () => {
    const seen = serverWithNewToken()
    logInAs('old')
    const answers = await Promise.all([1, 2, 3].map((n) => request('GET', `/api/v1/thing/${n}`)))
    expect(answers).toHaveLength(3)
    expect(seen.refreshes).toBe(1)
    expect(seen.calls.filter((token) => token === 'Bearer new')).toHaveLength(3)
    expect(useSession.getState().accessToken).toBe('new')
  })

  it('is refreshed repeatedly: each time with the newest refresh token', async () => {
    const seen = serverWithNewToken()
    logInAs('old')
    for (const times of [1, 2, 3]) {
      useSession.setState({ accessToken: 'old' })
      await request('GET', '/api/v1/thing/1')
      expect(seen.refreshes).toBe(times)
    }
    expect(lost).not.toHaveBeenCalled()
  })

  it('is not refreshed here when another tab has done so: its tokens are taken over', async () => {
    const seen = serverWithNewToken()
    logInAs('old')
    inAnotherTab({ refreshToken: 'refresh1', accessToken: 'new', payload: PAYLOAD })
    await request('GET', '/api/v1/thing/1')
    expect(seen).toMatchObject({ refreshes: 0, calls: ['Bearer old', 'Bearer new'] })
    expect(useSession.getState().refreshToken).toBe('refresh1')
  })

  it("does not resend one member's request as another member who logged in meanwhile", async () => {
    const seen = serverWithNewToken()
    logInAs('old')
    inAnotherTab({ refreshToken: 'refresh1', accessToken: 'new', payload: { ...PAYLOAD, _user: 'u2' } })
    await expect(request('POST', '/api/v1/thing/1', { body: {} })).rejects.toMatchObject({ status: 401 })
    expect(seen.calls).toEqual(['Bearer old'])
    expect(useSession.getState().accessToken).toBe('new')
    expect(lost).not.toHaveBeenCalled()
  })

  it('does not lose the body of a command', async () => {
    serverWithNewToken()
    logInAs('old')
    expect(await request('POST', '/api/v1/thing/1', { body: { a: 1 } })).toEqual({ body: { a: 1 } })
  })

  it('ends the session when the refresh is refused', async () => {
    server.use(
      http.get('*/api/auth/accessToken', () => refused(401, 'gone')),
      http.get('*/api/v1/me/info', () => refused(401, 'expired')),
    )
    logInAs('old')
    const failure = await call('GET', '/api/v1/me/info').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 401, alerted: true })
    expect(useSession.getState().refreshToken).toBeUndefined()
    expect(lost).toHaveBeenCalledTimes(1)
  })

  it('keeps the session when the server merely fails', async () => {
    server.use(
      http.get('*/api/auth/accessToken', () => refused(503, 'later')),
      http.get('*/api/v1/me/info', () => refused(401, 'expired')),
    )
    logInAs('old')
    await expect(call('GET', '/api/v1/me/info')).rejects.toMatchObject({ status: 503 })
    expect(useSession.getState().refreshToken).toBe('refresh')
    expect(lost).not.toHaveBeenCalled()
  })

  it('is resent only once: a refusal with the new token, too, ends the session (V221)', async () => {
    let calls = 0
    const revoked = serverThatRevokes()
    server.use(
      http.get('*/api/auth/accessToken', () =>
        HttpResponse.json({ refreshToken: 'r2', accessToken: 'new', payload: PAYLOAD }),
      ),
      http.get('*/api/v1/me/info', () => {
        calls += 1
        return refused(401, 'still no')
      }),
    )
    logInAs('old')
    await expect(call('GET', '/api/v1/me/info')).rejects.toMatchObject({ status: 401, alerted: true })
    expect(calls).toBe(2)
    expect(useSession.getState().refreshToken).toBeUndefined()
    expect(lost).toHaveBeenCalledTimes(1)
    await waitFor(() => expect(revoked).toEqual(['Bearer r2']))
  })

  it('is refreshed here when the token from another tab has expired as well', async () => {
    const seen = serverWithNewToken()
    logInAs('old')
    let calls = 0
    server.use(
      http.get('*/api/v1/late', ({ request }) => {
        calls += 1
        // Another tab refreshes it meanwhile, and this computer sleeps.
        if (calls === 1) useSession.setState({ accessToken: 'run out, too' })
        return request.headers.get('Authorization') === 'Bearer new' ? HttpResponse.json({}) : refused(401, 'expired')
      }),
    )
    await request('GET', '/api/v1/late')
    expect({ calls, refreshes: seen.refreshes }).toEqual({ calls: 3, refreshes: 1 })
    expect(lost).not.toHaveBeenCalled()
  })

  it('does not restore a session that another tab ended during the refresh', async () => {
    server.use(
      http.get('*/api/auth/accessToken', () => {
        inAnotherTab({})
        return HttpResponse.json({ refreshToken: 'r2', accessToken: 'new', payload: PAYLOAD })
      }),
      http.get('*/api/v1/me/info', () => refused(401, 'expired')),
    )
    logInAs('old')
    await expect(call('GET', '/api/v1/me/info')).rejects.toMatchObject({ status: 401 })
    expect(useSession.getState().refreshToken).toBeUndefined()
    expect(localStorage.getItem('jangbu.session')).not.toContain('r2')
  })

  it('is refreshed on navigation before it expires (V127)', async () => {
    const seen = serverWithNewToken()
    const token = (exp: number) => `h.${btoa(JSON.stringify({ exp }))}.s`
    logInAs(token(2_000_000_000))
    await checkAccess(1_900_000_000_000)
    expect(seen.refreshes).toBe(0)
    await checkAccess(2_000_000_000_000)
    expect(seen.refreshes).toBe(1)
  })
})

describe('a refusal', () => {
  it('403 shows the decoded message of the request (V222)', async () => {
    server.use(http.get('*/api/v1/secret', () => refused(403, 'from the server')))
    const failure = request('GET', '/api/v1/secret', { headers: messageOnError('판매자만 볼 수 있습니다.') })
    await expect(failure).rejects.toMatchObject({ status: 403, alerted: true })
    expect(alert).toHaveBeenCalledExactlyOnceWith('판매자만 볼 수 있습니다.')
  })

  it("403 without one shows the server's message (V223)", async () => {
    server.use(http.get('*/api/v1/secret', () => refused(403, 'from the server')))
    await expect(request('GET', '/api/v1/secret')).rejects.toBeInstanceOf(ApiError)
    expect(alert).toHaveBeenCalledExactlyOnceWith('from the server')
  })

  it('400 is passed through with its fields and without a notification (V219)', async () => {
    const fields = [{ field: 'receiver.phone', code: 'phone', message: '전화번호' }]
    server.use(
      http.post('*/api/v1/shop/orders', () =>
        HttpResponse.json({ error: { code: 'invalid', message: 'm', fields, requestId: 'r1' } }, { status: 400 }),
      ),
    )
    const failure = await call('POST', '/api/v1/shop/orders', { body: {} }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 400, code: 'invalid', requestId: 'r1' })
    expect((failure as ApiError).field('receiver.phone')).toBe('전화번호')
    expect(alert).not.toHaveBeenCalled()
  })

  it('that is not JSON still becomes an error with a message', async () => {
    server.use(http.get('*/api/v1/x', () => new HttpResponse('<html>Bad gateway</html>', { status: 502 })))
    await expect(request('GET', '/api/v1/x')).rejects.toMatchObject({ status: 502, code: 'http_502' })
  })

  it('of the network becomes an error too', async () => {
    server.use(http.get('*/api/v1/x', () => HttpResponse.error()))
    await expect(request('GET', '/api/v1/x')).rejects.toMatchObject({ status: 0, code: 'network' })
  })
})

describe('the position of own writes', () => {
  function echo(position: string) {
    const waited: (string | null)[] = []
    server.use(
      http.post('*/api/v1/me/likes', () => HttpResponse.json({}, { headers: { 'X-Position': position } })),
      http.get('*/api/v1/me/likes', ({ request }) => {
        waited.push(request.headers.get('X-Wait-Position'))
        return HttpResponse.json({}, { headers: { 'X-Position': '999999' } })
      }),
    )
    return waited
  }

  it('is sent with every GET after a command', async () => {
    const waited = echo('42')
    await call('GET', '/api/v1/me/likes')
    await call('POST', '/api/v1/me/likes', { body: {} })
    await call('GET', '/api/v1/me/likes')
    await call('GET', '/api/v1/me/likes')
    // The position of a read is not a command's.
    expect(waited).toEqual([null, '42', '42'])
  })

  it('is dropped after a minute', async () => {
    const waited = echo('42')
    await call('POST', '/api/v1/me/likes', { body: {} })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001)
    await call('GET', '/api/v1/me/likes')
    clock.mockRestore()
    expect(waited).toEqual([null])
  })

  it.each([
    ['never goes back', '43', '42', '43'],
    [
      'goes on by one even beyond what a JavaScript number holds',
      '9007199254740992',
      '9007199254740993',
      '9007199254740993',
    ],
  ])('%s', async (_, first, second, waitedFor) => {
    echo(first)
    await call('POST', '/api/v1/me/likes', { body: {} })
    const waited = echo(second)
    await call('POST', '/api/v1/me/likes', { body: {} })
    await call('GET', '/api/v1/me/likes')
    expect(waited).toEqual([waitedFor])
  })

  it('reports stale responses with their path', async () => {
    server.use(http.get('*/api/v1/me/orders', () => HttpResponse.json({}, { headers: { 'X-Stale': '1' } })))
    const heard: [string, boolean][] = []
    const stop = onFreshness((path, stale) => heard.push([path, stale]))
    await call('GET', '/api/v1/me/orders')
    stop()
    expect(heard).toEqual([['/api/v1/me/orders', true]])
  })
})

describe('what is sent', () => {
  it('has an idempotency key where goods or money move, and keeps a given one', async () => {
    const keys: (string | null)[] = []
    server.use(
      http.post('*/api/v1/*', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'))
        return HttpResponse.json({})
      }),
    )
    await request('POST', '/api/v1/me/orders/1/cancel', { body: {} })
    await call('POST', '/api/v1/shop/orders', { body: {}, headers: { 'Idempotency-Key': 'mine' } })
    await call('POST', '/api/v1/me/likes', { body: {} })
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(keys.slice(1)).toEqual(['mine', null])
  })

  it('carries path, query and paging', async () => {
    server.use(
      http.get('*/api/v1/things/a%2Fb', ({ request }) =>
        HttpResponse.json({
          q: new URL(request.url).search,
          skip: request.headers.get('skip'),
          limit: request.headers.get('limit'),
        }),
      ),
    )
    const answer = await request('GET', '/api/v1/things/{id}', {
      path: { id: 'a/b' },
      query: { searchValue: '주스', none: undefined, groups: ['x', 'y'] },
      headers: paged(3, 20),
    })
    expect(answer).toEqual({ q: '?searchValue=%EC%A3%BC%EC%8A%A4&groups=x&groups=y', skip: '40', limit: '20' })
  })

  it('encodes Hangul in Basic credentials as UTF-8', () => {
    const [, encoded = ''] = basic('hong', '비밀!1').split(' ')
    expect(new TextDecoder().decode(Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0)))).toBe('hong:비밀!1')
  })
})

describe('logging in and out', () => {
  it('pushes the local cart and recently viewed products, then clears them here (V090, V091)', async () => {
    const bodies: unknown[] = []
    server.use(
      http.get('*/api/auth/refreshToken', () =>
        HttpResponse.json({ refreshToken: 'r', accessToken: 'a', payload: PAYLOAD }),
      ),
      http.post('*/api/v1/me/:what', async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json({})
      }),
    )
    useSession.setState({
      carts: [{ _product: 'p1', _option: 'o1', quantity: 2, note: { name: '주스', unitPrice: 390 } }],
      watches: [
        { _product: 'p3', name: '나중에 본 것' },
        { _product: 'p2', name: '먼저 본 것' },
      ],
    })
    await logIn('hong', 'secret!1')
    expect(bodies).toEqual([{ _product: 'p1', _option: 'o1', quantity: 2 }, { _products: ['p3', 'p2'] }])
    expect(useSession.getState()).toMatchObject({ refreshToken: 'r', carts: [], watches: [] })
  })

  it('reports which lines are refused and why, and keeps those that the server could not take (V090)', async () => {
    server.use(
      http.get('*/api/auth/refreshToken', () =>
        HttpResponse.json({ refreshToken: 'r', accessToken: 'a', payload: PAYLOAD }),
      ),
      http.post('*/api/v1/me/carts', async ({ request }) => {
        const { _product } = (await request.json()) as { _product: string }
        if (_product === 'gone') return refused(404, 'not found', 'not_found')
        if (_product === 'sold') return refused(409, '품절된 상품입니다.', 'sold_out')
        if (_product === 'many') return refused(400, '수량은 1~999개로 입력해 주세요.', 'invalid')
        return _product === 'fine' ? HttpResponse.json({}) : refused(503, 'later', 'unavailable')
      }),
    )
    const line = (_product: string, name: string) => ({ _product, quantity: 1, note: { name, unitPrice: 1 } })
    const kept = [line('later', '나중'), line('fine2', '다음')]
    const refusals = [line('many', '많은 주스'), line('sold', '다 팔린 주스')]
    useSession.setState({ carts: [line('gone', '옛 주스'), line('fine', '주스'), ...refusals, ...kept] })
    await logIn('hong', 'secret!1')
    expect(useSession.getState().carts).toEqual(kept)
    expect(alert.mock.calls).toEqual([
      [
        '장바구니로 옮기지 못한 상품이 있습니다.\n옛 주스: 지금은 판매하지 않는 상품입니다.\n많은 주스: 수량은 1~999개로 입력해 주세요.\n다 팔린 주스: 품절된 상품입니다.',
      ],
    ])
  })

  it('keeps the local cart when the server does not respond, and the login succeeds', async () => {
    server.use(
      http.get('*/api/auth/refreshToken', () =>
        HttpResponse.json({ refreshToken: 'r', accessToken: 'a', payload: PAYLOAD }),
      ),
      http.post('*/api/v1/me/carts', () => refused(503, 'later', 'unavailable')),
    )
    useSession.setState({ carts: [{ _product: 'p1', quantity: 1 }] })
    await logIn('hong', 'secret!1')
    expect(useSession.getState()).toMatchObject({ refreshToken: 'r', carts: [{ _product: 'p1', quantity: 1 }] })
  })

  it('removes all session data at logout, also on the server, however often it is clicked (V125, V126)', async () => {
    const revoked = serverThatRevokes()
    logInAs('a')
    useSession.setState({
      carts: [{ _product: 'p', quantity: 1 }],
      watches: [{ _product: 'w', name: 'w' }],
      agreements: ['service'],
      pickup: { at: 'x' },
    })
    rememberSearch('a')
    logOut()
    logOut()
    expect(useSession.getState()).toMatchObject({ carts: [], watches: [], agreements: [] })
    expect(useSession.getState().pickup).toBeUndefined()
    expect(useSession.getState().accessToken).toBeUndefined()
    expect(localStorage.getItem('jangbu.session')).not.toContain('refresh')
    expect(document.cookie).not.toContain('a%22')
    await waitFor(() => expect(revoked).toEqual(['Bearer refresh']))
  })

  it('revokes the token again when the first request failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const heard: number[] = []
    server.use(
      http.delete('*/api/auth/refreshToken', () => {
        heard.push(heard.length)
        return heard.length === 1 ? refused(503, 'later') : new HttpResponse(null, { status: 204 })
      }),
    )
    logInAs('a')
    logOut()
    expect(useSession.getState().refreshToken).toBeUndefined()
    await vi.waitFor(() => {
      vi.advanceTimersByTime(1_000)
      expect(heard).toHaveLength(2)
    })
    vi.useRealTimers()
  })
})

describe('identical concurrent commands', () => {
  /** Responds to pending requests when released. */
  function slowServer() {
    const seen: string[] = []
    let open = () => undefined as unknown
    const gate = new Promise((resolve) => {
      open = () => resolve(undefined)
    })
    server.use(
      http.all('*/api/v1/thing/:n', async ({ request, params }) => {
        const body = request.method === 'GET' ? '' : await request.text()
        seen.push(`${request.method} ${params.n} ${body}`)
        await gate
        return HttpResponse.json({ n: seen.length })
      }),
    )
    return { seen, open: () => open() }
  }
  const put = (n: number, body: object) => request('PUT', `/api/v1/thing/${n}`, { body })

  it('are sent once while in flight, and both callers get the response', async () => {
    const { seen, open } = slowServer()
    const both = [put(1, { q: 2 }), put(1, { q: 2 })]
    open()
    expect(await Promise.all(both)).toEqual([{ n: 1 }, { n: 1 }])
    expect(seen).toEqual(['PUT 1 {"q":2}'])
    await put(1, { q: 2 })
    expect(seen).toHaveLength(2)
  })

  it('are separate after another command to the same address, and for different addresses', async () => {
    const { seen, open } = slowServer()
    const all = [put(1, { q: 2 }), put(1, { q: 3 }), put(1, { q: 2 }), put(2, { q: 2 })]
    open()
    await Promise.all(all)
    expect(seen).toHaveLength(4)
  })

  it('do not include reads, or calls that can be aborted', async () => {
    const { seen, open } = slowServer()
    const { signal } = new AbortController()
    const ask = () => request('POST', '/api/v1/thing/2', { body: {}, signal })
    const all = [request('GET', '/api/v1/thing/1'), request('GET', '/api/v1/thing/1'), ask(), ask()]
    open()
    await Promise.all(all)
    expect(seen).toHaveLength(4)
  })

  it('can be sent again after a refusal', async () => {
    let times = 0
    server.use(http.put('*/api/v1/thing/1', () => (++times === 1 ? refused(409, 'later') : HttpResponse.json({}))))
    await expect(Promise.all([put(1, {}), put(1, {})])).rejects.toMatchObject({ status: 409 })
    await put(1, {})
    expect(times).toBe(2)
  })
})
