// The whole app in a memory router: frame, guards with their messages, unknown pages, stale responses.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeGuestOrder } from '../api/guestOrders'
import { setNotifier } from '../api/notify'
import { queryClient } from '../api/queryClient'
import { beginSession, endSession, useSession } from '../api/session'
import { a11yViolations } from '../testing/axe'
import { server, withServer } from '../testing/server'
import { order } from '../testing/shop'
import { RouteErrorPage } from './RouteErrorPage'
import { toRouteObject } from './routeObjects'
import { makeRouter, patchRoutesOnNavigation, routeObjects } from './router'

withServer()
beforeEach(() => {
  endSession()
  queryClient.clear()
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({ name: '장부', company: { name: '주식회사 장부', tel: '02-000-0000' } }),
    ),
    http.get('*/api/v1/shop/categories', () => HttpResponse.json({ categories: [] })),
    http.get('*/api/v1/me/carts', () => HttpResponse.json({ carts: [] })),
    http.get('*/api/v1/me/info', () => HttpResponse.json({ user: { _id: 'u', type: 'PERSON', notiCount: 0 } })),
    http.get('*/api/v1/me/watches', () => HttpResponse.json({ watches: [] })),
    http.get('*/api/v1/bandBanners', () => HttpResponse.json({ bandBanners: [] })),
    http.get('*/api/v1/shop/logs', () => HttpResponse.json({ logs: [] })),
  )
})

function open(at: string) {
  const router = createMemoryRouter(routeObjects, { initialEntries: [at], patchRoutesOnNavigation })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

/** A lazy import that fails. */
const withoutCode = (reload: () => void) => {
  const loader = () => {
    throw new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
  }
  return createMemoryRouter([{ path: '/', loader, errorElement: <RouteErrorPage reload={reload} /> }])
}

const seller = {
  refreshToken: 'r',
  accessToken: 'a',
  payload: { _user: 'u', userType: 'COMPANY' as const, scope: ['company' as const] },
}

describe('the history', () => {
  it('gives the entry of a typed address a key, and a reload keeps it', () => {
    history.replaceState(null, '', '/no/such/page')
    const keys = [makeRouter(), makeRouter()].map((router) => {
      router.dispose()
      return router.state.location.key
    })
    expect(keys[0]).not.toBe('default')
    expect(keys[1]).toBe(keys[0])
    history.replaceState(null, '', '/')
  })
})

describe('the shop', () => {
  it('has a frame with landmarks for screen readers', async () => {
    open('/login')
    await screen.findByRole('heading', { level: 1, name: '로그인' })
    expect(screen.getByRole('banner')).toBeTruthy()
    expect((await screen.findByRole('contentinfo')).textContent).toContain('장부')
    expect(await screen.findByText('전화 02-000-0000')).toBeTruthy()
    const foot = within(screen.getByRole('contentinfo'))
    expect(foot.getByRole('link', { name: '비회원 주문조회' }).getAttribute('href')).toBe('/shop/lookup')
    expect(document.querySelectorAll('main#content')).toHaveLength(1)
    expect(await a11yViolations()).toEqual([])
  })

  it("redirects the other address of an application to it with the order's id, and admits a guest who found the order", async () => {
    // On a busy machine the page's code takes time to load.
    await import('../mypage/claims')
    storeGuestOrder('o1', 'guest-token')
    server.use(
      http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: order() })),
      http.get('*/api/v1/me/orders/o2', () => new HttpResponse(null, { status: 404 })),
    )
    const router = open('/mypage/return-application?order=o1&purchase=a')
    expect(await screen.findByText('반품을 신청할 수 있는 상품이 없습니다')).toBeTruthy()
    const { pathname, search } = router.state.location
    expect(pathname + search).toBe('/mypage/orders/return-application?order=o1&purchase=a')
    await act(() => router.navigate('/mypage/orders/return-application?order=o2'))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  })

  it('shows that a page does not exist', async () => {
    open('/no/such/page')
    expect(await screen.findByRole('heading', { level: 1, name: '찾으시는 페이지가 없습니다' })).toBeTruthy()
  })

  it('shows that what a page is about does not exist', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const loader = () => {
      throw new Response(null, { status: 404 })
    }
    const routes = [{ path: '/', loader, errorElement: <RouteErrorPage /> }]
    render(<RouterProvider router={createMemoryRouter(routes)} />)
    expect(await screen.findByRole('heading', { level: 1, name: '찾으시는 페이지가 없습니다' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '홈으로' }).getAttribute('href')).toBe('/')
    vi.restoreAllMocks()
  })

  it.each(['/console/no-such-page', '/console/shop/no/such/page'])(
    'shows a missing console page in the frame of the console: %s',
    async (at) => {
      beginSession({ ...seller, payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
      open(at)
      expect(await screen.findByRole('heading', { level: 1, name: '찾으시는 페이지가 없습니다' })).toBeTruthy()
      expect(screen.getByRole('navigation', { name: '관리 메뉴' })).toBeTruthy()
      expect(screen.getByRole('link', { name: '관리 홈으로' }).getAttribute('href')).toBe('/console')
      expect(document.querySelectorAll('main#content')).toHaveLength(1)
    },
  )

  it('keeps its frame around a page that fails', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.doMock('../shop/stores/index', () => {
      throw new Error('the code did not come')
    })
    open('/sub/store')
    expect(await screen.findByRole('heading', { level: 1, name: '화면을 표시하지 못했습니다' })).toBeTruthy()
    expect(screen.getByRole('banner')).toBeTruthy()
    vi.doUnmock('../shop/stores/index')
    vi.restoreAllMocks()
  })

  it('retries failed code by itself once there is a connection', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const reload = vi.fn()
    render(<RouterProvider router={withoutCode(reload)} />)
    expect(await screen.findByText(/인터넷 연결을 확인해 주세요/)).toBeTruthy()
    expect(reload).not.toHaveBeenCalled()
    // The listener is attached after the render, which may be concurrent.
    await act(async () => {})
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(reload).toHaveBeenCalledTimes(1)
    vi.restoreAllMocks()
  })

  it('reloads once for the new build when files of the old one are gone, without looping', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000_000)
    sessionStorage.clear()
    const visit = async () => {
      const reload = vi.fn()
      const { unmount } = render(<RouterProvider router={withoutCode(reload)} />)
      await screen.findByRole('heading', { name: '화면을 표시하지 못했습니다' })
      await act(async () => {})
      unmount()
      return reload.mock.calls.length
    }
    expect(await visit()).toBe(1)
    // Still missing after the reload: the page's error is shown instead.
    now.mockReturnValue(1_000_005_000)
    expect(await visit()).toBe(0)
    // The next deploy.
    now.mockReturnValue(1_000_065_000)
    expect(await visit()).toBe(1)
    vi.restoreAllMocks()
  })

  it('asks before it logs out, and then clears the session (V124, V125)', async () => {
    beginSession(seller)
    open('/join')
    await screen.findByRole('heading', { level: 1 })
    await userEvent.click(screen.getByRole('button', { name: '로그아웃' }))
    expect(await screen.findByRole('alertdialog', { name: 'Do you want to logout?' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '로그아웃' }))
    await waitFor(() => expect(useSession.getState().refreshToken).toBeUndefined())
  })
})

describe('the console', () => {
  it('is open to everybody and sends guests to the login (V180)', async () => {
    open('/console')
    expect(await screen.findByText('운영자와 판매자 전용 페이지입니다')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })
})

it('leaves a member page when another tab logs out', async () => {
  beginSession({ ...seller, payload: { ...seller.payload, scope: [] } })
  const router = open('/mypage/recent')
  expect(await screen.findByRole('heading', { level: 1, name: '최근 본 상품' })).toBeTruthy()
  localStorage.setItem('jangbu.session', JSON.stringify({ state: {}, version: 0 }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'jangbu.session' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.search).toBe('?next=%2Fmypage%2Frecent')
})

describe('a guarded page', () => {
  const page = () => Promise.resolve({ Component: () => <h1>비밀</h1>, loader })
  const loader = vi.fn(() => null)
  const alert = vi.fn()

  function openGuarded(at: string) {
    setNotifier(alert)
    const guarded = [
      toRouteObject({ path: '/cart', title: '', login: true, page }),
      toRouteObject({ path: '/console/users', title: '', scope: ['console'], page }),
      toRouteObject({ path: '/story', title: '', redirect: '/join' }),
    ]
    const elsewhere = ['/', '/join', '/login', '/console'].map((path) => ({ path, element: <p>{path}</p> }))
    const router = createMemoryRouter([...guarded, ...elsewhere], { initialEntries: [at] })
    render(<RouterProvider router={router} />)
    return router
  }
  beforeEach(() => {
    alert.mockClear()
    loader.mockClear()
  })

  it('shows a guest a message and redirects to the login, without calling the server', async () => {
    const router = openGuarded('/cart?a=1')
    await screen.findByText('/login')
    expect(router.state.location.search).toBe('?next=%2Fcart%3Fa%3D1')
    expect(alert).toHaveBeenCalledExactlyOnceWith('Please log in to continue. 로그인이 필요한 서비스입니다.')
    expect(loader).not.toHaveBeenCalled()
  })
  it('redirects users without the scope to the root of the console', async () => {
    beginSession(seller)
    openGuarded('/console/users')
    await screen.findByText('/console')
    expect(alert).toHaveBeenCalledExactlyOnceWith('Access denied. 운영자 권한이 필요합니다.')
  })
  it('is shown to authorized users', async () => {
    beginSession(seller)
    openGuarded('/cart')
    expect(await screen.findByRole('heading', { name: '비밀' })).toBeTruthy()
    expect(loader).toHaveBeenCalledTimes(1)
    expect(alert).not.toHaveBeenCalled()
  })
  it('may be a redirect only', async () => {
    openGuarded('/story')
    expect(await screen.findByText('/join')).toBeTruthy()
  })
})
