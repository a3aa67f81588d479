// The frame around the shop's pages: menu, band, bell, recently viewed products, bottom bar, scrolling.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setNotifier } from '../../api/notify'
import { queryClient } from '../../api/queryClient'
import { beginSession, endSession, rememberWatch } from '../../api/session'
import { logOut } from '../../features/login/logout'
import { setCookie } from '../../lib/cookies'
import { rememberSearch } from '../../lib/recentSearches'
import { a11yViolations } from '../../testing/axe'
import { server, withServer } from '../../testing/server'
import { RotatingText, TICK_MS } from '../../ui/RotatingText'
import { Toasts } from '../../ui/toast'
import { BandBanner } from './BandBanner'
import { BottomBar } from './BottomBar'
import CategoryDrawer from './CategoryDrawer'
import FloatingSidebar, { RecentWidget } from './FloatingSidebar'
import { MegaMenu } from './MegaMenu'
import NotificationDrawer from './NotificationDrawer'
import RankTicker from './RankTicker'
import { SearchBox } from './SearchBox'
import { ShopLayout } from './ShopLayout'

withServer()

const TREE = [
  {
    _id: '1',
    code: 'bicycle',
    name: '자전거',
    children: [{ _id: '2', code: 'road', name: '로드', children: [{ _id: '3', code: 'carbon', name: '카본' }] }],
  },
]
const ALARMS = [
  {
    _id: 'a1',
    title: '주문이 결제되었습니다',
    content: '바람 로드',
    shows: true,
    createdAt: '2026-11-20T00:00:00Z',
    url: '/mypage/orders',
    category: 'ORDER',
  },
  {
    _id: 'a2',
    title: '쿠폰이 도착했습니다',
    shows: false,
    createdAt: '2026-11-19T00:00:00Z',
    url: '',
    category: 'COUPON',
  },
]
const BANDS = [{ _id: 'b', code: 'main', name: '첫 주문', content: '첫 주문 무료배송', url: '/shop/best' }]
let written: string[]

beforeEach(() => {
  endSession()
  queryClient.clear()
  setCookie('bands-hidden', '', 0)
  written = []
  const note = async ({ request }: { request: Request }) => {
    const body = await request.text()
    written.push(`${request.method} ${new URL(request.url).pathname} ${body}`.trim())
    return HttpResponse.json({})
  }
  server.use(
    http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} })),
    http.get('*/api/v1/shop/categories', () => HttpResponse.json({ categories: TREE })),
    http.get('*/api/v1/bandBanners', () =>
      HttpResponse.json({
        bandBanners: BANDS,
      }),
    ),
    http.get('*/api/v1/shop/tag-logs', () =>
      HttpResponse.json({
        tagLogs: [
          { _id: '출퇴근', count: 3 },
          { _id: '경량', count: 1 },
        ],
      }),
    ),
    http.get('*/api/v1/shop/logs', () =>
      HttpResponse.json({
        logs: [
          { _id: '로드', count: 9 },
          { _id: '미니벨로', count: 7, diff: 2 },
          { _id: '주스', count: 3, diff: -1 },
          { _id: '헬멧', count: 2, diff: 0 },
        ],
      }),
    ),
    http.get('*/api/v1/me/info', () =>
      HttpResponse.json({ user: { _id: 'u', type: 'PERSON', notiCount: 3, cartCount: 2 } }),
    ),
    http.get('*/api/v1/me/watches', () => HttpResponse.json({ watches: [] })),
    http.get('*/api/v1/me/alarms', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('category')
      return HttpResponse.json({ alarms: ALARMS.filter((one) => !kind || one.category === kind) })
    }),
    http.put('*/api/v1/me/alarms/:id', note),
    http.put('*/api/v1/me', note),
    http.delete('*/api/v1/me/alarms/:id', note),
  )
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

function show(node: React.ReactNode, at = '/') {
  const router = createMemoryRouter(
    [
      { path: at.split('?')[0], element: node },
      { path: '*', element: <p>went away</p> },
    ],
    { initialEntries: [at] },
  )
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>,
  )
  return router
}

describe("the phone's drawer (V025, V030, V088)", () => {
  it('links to three levels of categories, to other product lists and to the About Us group', async () => {
    show(<CategoryDrawer onClose={() => undefined} />)
    const drawer = within(await screen.findByRole('dialog'))
    for (const name of ['자전거', '로드', '카본'])
      expect((await drawer.findByRole('link', { name })).getAttribute('href')).toMatch(/category=/)
    const hrefs = (label: string) =>
      within(drawer.getByRole('navigation', { name: label }))
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'))
    expect(hrefs('둘러보기')).toEqual(['/shop/best', '/shop/brands', '/shop/showrooms', '/sub/event', '/sub/store'])
    expect(hrefs('About Us')).toEqual([
      '/about/faq',
      '/about/contact',
      '/center/notice',
      '/terms/service',
      '/terms/privacy',
    ])
    expect(drawer.getByRole('link', { name: '비회원 주문조회' }).getAttribute('href')).toBe('/shop/lookup')
    expect(await a11yViolations()).toEqual([])
  })
})

describe('the menu', () => {
  it('shows three levels and the About Us group, and closes with Escape (V025, V088)', async () => {
    show(<MegaMenu />)
    const button = await screen.findByRole('button', { name: '카테고리' })
    await waitFor(() => expect(screen.getByRole('link', { name: '자전거' })).toBeTruthy())
    await userEvent.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect((await screen.findByRole('link', { name: '로드' })).getAttribute('href')).toBe(
      '/shop/products?category=road',
    )
    expect(screen.getByRole('link', { name: '카본' })).toBeTruthy()
    expect(screen.getByRole('region', { name: 'About Us' })).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    await userEvent.keyboard('{Escape}')
    expect(button.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('the navigation bar under the header', () => {
  it.each([
    ['/shop/products', '전체 상품'],
    ['/shop/products?category=road', '자전거'],
    ['/shop/brands/baram', '브랜드'],
    ['/shop/cart', undefined],
  ])('marks the current entry: %s', async (at, name) => {
    const router = createMemoryRouter([{ path: '*', element: <MegaMenu /> }], { initialEntries: [at] })
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
    await screen.findByRole('link', { name: '자전거' })
    const marked = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
    expect(marked.map((link) => link.textContent)).toEqual(name ? [name] : [])
  })
})

describe('the band banner', () => {
  it('is hidden for the session by its button (V078, V211)', async () => {
    show(<BandBanner />)
    await userEvent.click(await screen.findByRole('button', { name: '띠배너 닫기' }))
    expect(screen.queryByText('첫 주문 무료배송')).toBeNull()
    cleanup()
    // Logout clears the tab's storage; the band stays hidden for the browser session.
    logOut()
    sessionStorage.clear()
    let asked = 0
    server.use(
      http.get('*/api/v1/bandBanners', () => {
        asked += 1
        return HttpResponse.json({ bandBanners: BANDS })
      }),
    )
    queryClient.clear()
    show(<BandBanner />)
    await waitFor(() => expect(asked).toBe(1))
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByRole('complementary')).toBeNull()
  })
  it('is not replaced by another when hidden, but by a new one later (V078)', async () => {
    let bands = [...BANDS, { _id: 'b2', code: 'main', name: '둘째', content: '둘째 소식' }]
    server.use(http.get('*/api/v1/bandBanners', () => HttpResponse.json({ bandBanners: bands })))
    show(<BandBanner />)
    await userEvent.click(await screen.findByRole('button', { name: '띠배너 닫기' }))
    expect(screen.queryByRole('complementary')).toBeNull()
    bands = [...bands, { _id: 'b3', code: 'main', name: '셋째', content: '셋째 소식' }]
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByText('셋째 소식')).toBeTruthy()
  })
  it('shows nothing about its errors (V218)', async () => {
    const alerts = vi.fn()
    setNotifier(alerts)
    let asked = false
    server.use(
      http.get('*/api/v1/bandBanners', () => {
        asked = true
        return HttpResponse.json({}, { status: 500 })
      }),
    )
    show(<BandBanner />)
    await waitFor(() => expect(asked).toBe(true))
    expect(alerts).not.toHaveBeenCalled()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('the header', () => {
  it('shows the counts of the cart and unread notifications (V027, V029)', async () => {
    logIn()
    show(<ShopLayout />)
    expect(await screen.findByRole('button', { name: '알림 읽지 않은 알림 3개' })).toBeTruthy()
    const account = screen.getByRole('navigation', { name: '내 계정' })
    expect(within(account).getByRole('link', { name: /마이페이지/ })).toBeTruthy()
    expect(await within(account).findByText('2개 담김')).toBeTruthy()
  })
  it('links to the login and back to the current page', async () => {
    show(<ShopLayout />, '/shop/cart?from=bell')
    const account = await screen.findByRole('navigation', { name: '내 계정' })
    const login = within(account).getByRole('link', { name: '로그인' })
    expect(login.getAttribute('href')).toBe('/login?next=%2Fshop%2Fcart%3Ffrom%3Dbell')
  })
  it.each(['/', '/login?next=%2Fcart', '/join/form'])('links from %s to the login without a redirect', async (at) => {
    show(<ShopLayout />, at)
    const account = await screen.findByRole('navigation', { name: '내 계정' })
    expect(within(account).getByRole('link', { name: '로그인' }).getAttribute('href')).toBe('/login')
  })
  it('sends a guest who clicks the bell to the login (V156)', async () => {
    const router = show(<ShopLayout />)
    await userEvent.click(await screen.findByRole('button', { name: '알림' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(await screen.findByText('로그인이 필요한 서비스입니다.')).toBeTruthy()
  })
})

describe('the bottom bar', () => {
  it('has only entries whose pages exist and sends guests to the login (V034, V176, V178)', async () => {
    const router = show(<BottomBar onMenu={() => undefined} />)
    const bar = screen.getByRole('navigation', { name: '하단 메뉴' })
    expect(within(bar).queryByText('미니홈')).toBeNull()
    await userEvent.click(within(bar).getByRole('link', { name: /장바구니/ }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(router.state.location.search).toBe('?next=%2Fcart')
  })
})

describe('notifications', () => {
  it('open with the list after the settings were closed (V080)', async () => {
    logIn()
    show(<ShopLayout />)
    const bell = await screen.findByRole('button', { name: /^알림/ })
    await userEvent.click(bell)
    await userEvent.click(await screen.findByRole('button', { name: '알림 설정' }))
    expect(await screen.findByRole('dialog', { name: '알림 설정' })).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(bell)
    expect(await screen.findByRole('dialog', { name: '알림' })).toBeTruthy()
    expect(await screen.findByRole('button', { name: /주문이 결제되었습니다/ })).toBeTruthy()
  })
  it('are marked read when opened, and open their page (V118)', async () => {
    logIn()
    const closed = vi.fn()
    const router = show(<NotificationDrawer onClose={closed} />)
    await userEvent.click(await screen.findByRole('button', { name: '알림 설정' }))
    expect(await screen.findByRole('switch', { name: /알림 받기/ })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '알림으로 돌아가기' }))
    await userEvent.click(await screen.findByRole('button', { name: /주문이 결제되었습니다/ }))
    await waitFor(() => expect(written).toContain('PUT /api/v1/me/alarms/a1 {"shows":false}'))
    expect(closed).toHaveBeenCalled()
    expect(router.state.location.pathname).toBe('/mypage/orders')
  })
  it('are filtered by kind, and can be deleted (V119)', async () => {
    logIn()
    show(<NotificationDrawer onClose={() => undefined} />)
    await userEvent.click(await screen.findByRole('radio', { name: '쿠폰' }))
    await waitFor(() => expect(screen.queryByText('주문이 결제되었습니다')).toBeNull())
    await userEvent.click(await screen.findByRole('button', { name: '알림 삭제' }))
    await waitFor(() => expect(written).toContain('DELETE /api/v1/me/alarms/a2'))
  })
  it('settings are sent as noti, and the member is read again (V207)', async () => {
    logIn()
    show(<NotificationDrawer onClose={() => undefined} />)
    await userEvent.click(await screen.findByRole('button', { name: '알림 설정' }))
    await userEvent.click(await screen.findByRole('switch', { name: '배송' }))
    await waitFor(() =>
      expect(written).toContain('PUT /api/v1/me {"noti":{"isShow":true,"disabledCategories":["DELIVERY"]}}'),
    )
  })
})

describe('recently viewed products', () => {
  it('show one, and three more when expanded (V081, V255)', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) rememberWatch({ _product: `p${n}`, name: `상품 ${n}`, thumb: `/p${n}.webp` })
    show(<RecentWidget />)
    expect(screen.getAllByRole('img').map((one) => one.getAttribute('alt'))).toEqual(['상품 6'])
    await userEvent.click(screen.getByRole('button', { name: '최근 본 상품 펼치기' }))
    expect(screen.getAllByRole('img')).toHaveLength(4)
    await userEvent.click(screen.getByRole('button', { name: '최근 본 상품 접기' }))
    expect(screen.getAllByRole('img')).toHaveLength(1)
  })
})

describe('scrolling', () => {
  it('shows the side navigation past a quarter, the flag past half (V082, V083, V084)', async () => {
    show(<ShopLayout />)
    await screen.findByRole('contentinfo')
    const scroll = (y: number) =>
      act(async () => {
        Object.assign(window, { scrollY: y, innerHeight: 800 })
        fireEvent.scroll(window)
      })
    await scroll(200)
    expect(screen.queryByRole('button', { name: '맨 위로' })).toBeNull()
    await scroll(201)
    expect(await screen.findByRole('button', { name: '맨 위로' })).toBeTruthy()
    expect(document.querySelector('[data-far]')).toBeNull()
    await scroll(401)
    expect(document.querySelector('[data-far="true"]')).not.toBeNull()
    await scroll(0)
  })
  it('has no recent products on the order sheet and its result', async () => {
    rememberWatch({ _product: 'p1', name: '산들 로드', thumb: '/p1.webp' })
    show(<FloatingSidebar far={false} />, '/shop/result?_id=1')
    expect(screen.queryByRole('region', { name: '최근 본 상품 바로 가기' })).toBeNull()
    show(<FloatingSidebar far={false} />)
    expect(screen.getByRole('region', { name: '최근 본 상품 바로 가기' })).toBeTruthy()
  })
  it('hides the scroll-to-top button at the top (V082)', () => {
    show(<FloatingSidebar far={false} />)
    expect(screen.queryByRole('button', { name: '맨 위로' })).toBeNull()
  })
})

describe('search terms', () => {
  it('are the last five and the ranking with its changes (V031, V092, V163, V246)', async () => {
    server.use(http.post('*/api/v1/shop/logs', () => HttpResponse.json({})))
    for (const word of ['가', '나', '다', '라', '마', '바']) rememberSearch(word)
    const router = show(<SearchBox />)
    await userEvent.click(screen.getByRole('combobox', { name: '상품 검색' }))
    const recent = await screen.findByRole('region', { name: '최근 검색어' })
    expect(within(recent).getAllByRole('listitem')).toHaveLength(5)
    expect(within(recent).queryByText('가')).toBeNull()
    const ranking = await screen.findByRole('region', { name: '실시간 인기 검색어' })
    const said = within(ranking)
      .getAllByRole('listitem')
      .map((one) => one.textContent)
    expect(said[0]).toContain('신규 진입')
    expect(said[1]).toContain('상승 2')
    expect(said[2]).toContain('하락 1')
    expect(said[3]).toContain('변동 없음')
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(within(ranking).getByRole('button', { name: /미니벨로/ }))
    expect(new URLSearchParams(router.state.location.search).get('searchValue')).toBe('미니벨로')
  })
  it('are tags, too: a clicked tag is searched, and logged only as a tag (V247)', async () => {
    const noted: unknown[] = []
    server.use(
      http.post('*/api/v1/shop/logs', async ({ request }) => {
        noted.push(await request.json())
        return HttpResponse.json({})
      }),
    )
    const router = show(<SearchBox />)
    await userEvent.click(screen.getByRole('combobox', { name: '상품 검색' }))
    const tags = within(await screen.findByRole('region', { name: '인기 태그' }))
    expect(tags.getAllByRole('button').map((one) => one.textContent)).toEqual(['#출퇴근', '#경량'])
    await userEvent.click(tags.getByRole('button', { name: '#경량' }))
    expect(new URLSearchParams(router.state.location.search).get('searchValue')).toBe('경량')
    await expect.poll(() => noted).toEqual([{ type: 'TAG', value: '경량' }])
  })
  it('are suggested while typing, and chosen with the arrow keys or a click', async () => {
    const asked: (string | null)[] = []
    server.use(
      http.get('*/api/v1/shop/products', ({ request }) => {
        const text = new URL(request.url).searchParams.get('searchValue')
        asked.push(text)
        const suggestions = text === 'ㅈㅈ' ? ['자전거', '자전거용품'] : []
        return HttpResponse.json({ summary: { totalCount: 0 }, products: [], suggestions })
      }),
      http.post('*/api/v1/shop/logs', () => HttpResponse.json({})),
    )
    const router = show(<SearchBox />)
    const box = screen.getByRole('combobox', { name: '상품 검색' })
    await userEvent.type(box, 'ㅈㅈ')
    const list = await screen.findByRole('listbox', { name: '추천 검색어' })
    expect(asked).toEqual(['ㅈㅈ'])
    expect(box.getAttribute('aria-expanded')).toBe('true')
    expect(box.getAttribute('aria-controls')).toBe(list.id)
    const [first, second] = within(list).getAllByRole('option')
    await userEvent.keyboard('{ArrowUp}')
    expect(box.getAttribute('aria-activedescendant')).toBe(second?.id)
    await userEvent.keyboard('{ArrowDown}')
    expect(box.getAttribute('aria-activedescendant')).toBeNull()
    await userEvent.keyboard('{ArrowDown}')
    expect(first?.getAttribute('aria-selected')).toBe('true')
    expect(await a11yViolations()).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect(new URLSearchParams(router.state.location.search).get('searchValue')).toBe('자전거')
  })
  it('are not suggested for a text without completions; the text itself is searched', async () => {
    server.use(
      http.get('*/api/v1/shop/products', () =>
        HttpResponse.json({ summary: { totalCount: 0 }, products: [], suggestions: [] }),
      ),
      http.post('*/api/v1/shop/logs', () => HttpResponse.json({})),
    )
    const router = show(<SearchBox />)
    const box = screen.getByRole('combobox', { name: '상품 검색' })
    await userEvent.type(box, '없는말')
    await screen.findByRole('region', { name: '최근 검색어' })
    expect(box.getAttribute('aria-expanded')).toBe('false')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(new URLSearchParams(router.state.location.search).get('searchValue')).toBe('없는말')
  })
  it('are sent from the results page, too, by every way, and only when the term has changed (V162)', async () => {
    const noted: unknown[] = []
    server.use(
      http.get('*/api/v1/shop/products', () =>
        HttpResponse.json({ summary: { totalCount: 0 }, products: [], suggestions: ['자전거용품'] }),
      ),
      http.post('*/api/v1/shop/logs', async ({ request }) => {
        noted.push(await request.json())
        return HttpResponse.json({})
      }),
    )
    rememberSearch('지난번')
    const page = (
      <>
        <SearchBox />
        <RankTicker />
      </>
    )
    const router = show(page, '/search?searchValue=처음')
    const term = () => new URLSearchParams(router.state.location.search).get('searchValue')
    const box = () => screen.getByRole('combobox', { name: '상품 검색' })
    const look = () => userEvent.click(box())
    const region = async (name: string) =>
      within(await within(screen.getByRole('search')).findByRole('region', { name }))

    await look()
    await userEvent.keyboard('{Enter}')
    await userEvent.clear(box())
    await userEvent.type(box(), ' 처음 {Enter}')
    expect(noted).toEqual([])
    await userEvent.clear(box())
    await userEvent.type(box(), '둘째{Enter}')
    expect(term()).toBe('둘째')
    await look()
    await userEvent.click((await region('최근 검색어')).getByRole('button', { name: '지난번' }))
    expect(term()).toBe('지난번')
    await look()
    await userEvent.click((await region('실시간 인기 검색어')).getByRole('button', { name: /미니벨로/ }))
    expect(term()).toBe('미니벨로')
    await look()
    await userEvent.click((await region('인기 태그')).getByRole('button', { name: '#경량' }))
    expect(term()).toBe('경량')
    await userEvent.clear(box())
    await userEvent.type(box(), '자전거')
    await userEvent.click(await screen.findByRole('option', { name: '자전거용품' }))
    expect(term()).toBe('자전거용품')
    const ticker = within(await screen.findByRole('region', { name: '실시간 인기 검색어 한 줄' }))
    await userEvent.click(ticker.getByRole('button', { name: /미니벨로/ }))
    expect(term()).toBe('미니벨로')
    await userEvent.click(ticker.getByRole('button', { name: /미니벨로/ }))
    await expect.poll(() => noted.length).toBe(6)
    expect(noted.slice(-2)).toEqual([
      { type: 'SEARCH', value: '자전거용품' },
      { type: 'SEARCH', value: '미니벨로' },
    ])
  })
  it('cover only the page they were opened on, and coexist with the ticker in the header', async () => {
    server.use(http.post('*/api/v1/shop/logs', () => HttpResponse.json({})))
    const page = (
      <>
        <SearchBox />
        <RankTicker />
      </>
    )
    const router = show(page, '/search?searchValue=처음')
    await act(() => router.navigate('/search?searchValue=둘째'))
    await userEvent.click(screen.getByRole('combobox', { name: '상품 검색' }))
    await screen.findByRole('region', { name: '실시간 인기 검색어' })
    await screen.findByRole('region', { name: '실시간 인기 검색어 한 줄' })
    expect(await a11yViolations()).toEqual([])
    await act(() => router.navigate(-1))
    expect(screen.queryByRole('region', { name: '최근 검색어' })).toBeNull()
    await userEvent.click(screen.getByRole('combobox', { name: '상품 검색' }))
    expect(await screen.findByRole('region', { name: '최근 검색어' })).toBeTruthy()
  })
  it('are limited to ten, whatever the server sends (V244)', async () => {
    const logs = Array.from({ length: 11 }, (_, i) => ({ _id: `낱말 ${i + 1}`, count: 20 - i, diff: 0 }))
    server.use(http.get('*/api/v1/shop/logs', () => HttpResponse.json({ logs })))
    show(<SearchBox />)
    await userEvent.click(screen.getByRole('combobox', { name: '상품 검색' }))
    const ranking = within(await screen.findByRole('region', { name: '실시간 인기 검색어' }))
    expect(ranking.getAllByRole('listitem')).toHaveLength(10)
    expect(ranking.getByText('낱말 10')).toBeTruthy()
    expect(ranking.queryByText('낱말 11')).toBeNull()
  })
  it('rotate every three seconds (V248)', () => {
    vi.useFakeTimers()
    try {
      render(
        <RotatingText
          label="순위"
          items={[
            { key: 'a', content: '하나' },
            { key: 'b', content: '둘' },
          ]}
        />,
      )
      const first = screen.getByText('하나')
      expect(first.hasAttribute('inert')).toBe(false)
      act(() => void vi.advanceTimersByTime(TICK_MS - 1))
      expect(first.hasAttribute('inert')).toBe(false)
      act(() => void vi.advanceTimersByTime(1))
      expect(first.hasAttribute('inert')).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
