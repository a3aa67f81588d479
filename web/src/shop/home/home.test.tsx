// The home page: banners by device, popups and their cookie, content chosen by staff.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setNotifier } from '../../api/notify'
import { queryClient } from '../../api/queryClient'
import { endSession } from '../../api/session'
import { setCookie } from '../../lib/cookies'
import { registerRouteLookup } from '../../lib/routeRegistry'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, store } from '../../testing/shop'
import { Carousel, SLIDE_MS } from '../../ui/Carousel'
import { Toasts, toast } from '../../ui/toast'
import { Component as Home } from './index'
import Popups from './Popups'

withServer()
const slide = (_id: string, title: string, more = {}) => ({
  _id,
  image: { url: `/${_id}.webp` },
  url: '/shop/best',
  meta: { title, description: '설명' },
  ...more,
})
let logged: unknown[]
let outlives: boolean[]
let devices: (string | null)[]
let asked: string[]

beforeEach(() => {
  endSession()
  queryClient.clear()
  logged = []
  outlives = []
  devices = []
  asked = []
  setCookie('popup-pop', '', 0)
  server.use(
    http.get('*/api/v1/shop/categories', () => HttpResponse.json({ categories: [] })),
    http.get('*/api/v1/banners/:code', ({ params, request }) => {
      devices.push(new URL(request.url).searchParams.get('device'))
      const slides =
        params.code === 'MAIN_1'
          ? [
              slide('s1', '첫 장'),
              slide('s2', '바깥', { url: 'https://example.com/a', isOuterLink: true, target: '_blank' }),
            ]
          : params.code === 'RECIPE'
            ? [slide('r1', '당근 수프', { url: '/search?searchValue=당근' })]
            : []
      return HttpResponse.json({ banner: { _id: 'b', code: params.code, name: 'b', slides } })
    }),
    http.post('*/api/v1/bannerLogs', async ({ request }) => {
      logged.push(await request.json())
      outlives.push(request.keepalive)
      return HttpResponse.json({})
    }),
    http.get('*/api/v1/popups', () =>
      HttpResponse.json({
        popups: [{ _id: 'pop', name: '개점 안내', content: '<p>문 열었습니다</p>', url: '/shop/best' }],
      }),
    ),
    http.get('*/api/v1/bannerAdvertisements', ({ request }) =>
      HttpResponse.json({
        bannerAdvertisements: Array.from({ length: Number(request.headers.get('limit')) }, (_, i) => ({
          _id: `ad${i}`,
          name: `광고 ${i}`,
          image: { url: '/ad.webp' },
          url: '/shop/best',
        })),
      }),
    ),
    http.get('*/api/v1/shop/displays', ({ request }) => {
      const code = new URL(request.url).searchParams.get('code')
      const products = ['a', 'b', 'c', 'd', 'e'].map((n) => card({ _id: `${code}-${n}`, name: `${code} ${n}` }))
      const items = Array.from({ length: 12 }, (_, i) => ({ title: `이점 ${i + 1}`, content: '좋습니다' }))
      return HttpResponse.json({
        displays: [{ _id: code, code, name: code, products, items: code === 'MERIT' ? items : [] }],
      })
    }),
    http.get('*/api/v1/shop/stores', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(`${searchParams} ${request.headers.get('limit')}`)
      const stores = Array.from({ length: Number(request.headers.get('limit')) }, (_, i) =>
        store({ _id: `st${i}`, name: `매장 ${i}`, nickname: `판매자 ${i}` }),
      )
      return HttpResponse.json({ summary: { totalCount: 9 }, stores })
    }),
    http.get('*/api/v1/shop/bests', () => HttpResponse.json({ products: [card({ _id: 'best1', name: '으뜸' })] })),
    http.get('*/api/v1/shop/products', () => HttpResponse.json({ summary: { totalCount: 1 }, products: [card()] })),
  )
})

describe('the home page', () => {
  it('shows four featured products, ten benefits and four advertisements (V019, V021, V210, V271)', async () => {
    renderPage(<Home />)
    const featured = await screen.findByRole('region', { name: '이번 주 추천' })
    await waitFor(() => expect(within(featured).getAllByRole('article')).toHaveLength(4))
    expect(within(featured).getByRole('link', { name: '전체 상품 보기' }).getAttribute('href')).toBe('/shop/products')
    expect(within(featured).getByRole('link', { name: 'MAIN_FEATURED a' }).getAttribute('href')).toBe(
      '/shop/products/MAIN_FEATURED-a',
    )
    const merits = await screen.findByRole('region', { name: 'MERIT' })
    expect(within(merits).getAllByRole('listitem')).toHaveLength(10)
    expect(within(await screen.findByRole('region', { name: '광고' })).getAllByRole('listitem')).toHaveLength(4)
    expect(await a11yViolations()).toEqual([])
  })

  it('recommends four stores and three shops, and nearby ones on request (V023, V077, V267-V270)', async () => {
    const refuse = { code: 1, PERMISSION_DENIED: 1 }
    let allowed = false
    const getCurrentPosition = (done: (at: unknown) => void, fail: (why: unknown) => void) =>
      allowed ? done({ coords: { latitude: 37.5284, longitude: 126.9349 } }) : fail(refuse)
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } })
    renderPage(
      <>
        <Home />
        <Toasts />
      </>,
    )
    const stores = within(await screen.findByRole('region', { name: '추천 매장' }))
    expect(await stores.findAllByRole('article')).toHaveLength(4)
    expect(stores.getByRole('link', { name: /더보기|더 보기/ }).getAttribute('href')).toBe('/sub/store')
    const shops = within(await screen.findByRole('region', { name: '추천 상점' }))
    expect(await shops.findAllByRole('article')).toHaveLength(3)
    expect(shops.getByRole('link', { name: '판매자 0 상품 보기' })).toBeTruthy()
    expect(asked.sort()).toEqual([' 4', 'recommended=true 3'])
    expect(await a11yViolations()).toEqual([])

    await userEvent.click(stores.getByRole('button', { name: '내 주변 매장 보기' }))
    expect(await screen.findByText('위치 권한을 허용하신뒤 다시 시도 해 주세요.')).toBeTruthy()
    allowed = true
    await userEvent.click(stores.getByRole('button', { name: '내 주변 매장 보기' }))
    expect(await screen.findByRole('region', { name: '내 주변 매장' })).toBeTruthy()
    await waitFor(() => expect(asked).toContain('near=37.53%2C126.93&within=200 4'))
    Reflect.deleteProperty(navigator, 'geolocation')
  })

  it('shows the recipe banner, linked to its own target (V020)', async () => {
    registerRouteLookup((href) => href !== '/about/blog')
    renderPage(<Home />)
    const recipes = within(await screen.findByRole('region', { name: '레시피' }))
    const href = recipes.getByRole('link', { name: '당근 수프 보러 가기' }).getAttribute('href')
    expect(decodeURI(href ?? '')).toBe('/search?searchValue=당근')
    registerRouteLookup(() => true)
  })

  it('links the recipes to the blog once there is one, and hides the link until then (V075)', async () => {
    const show = async (url: string | null, pages: readonly string[]) => {
      registerRouteLookup((href) => pages.includes(href.split('?')[0] ?? href))
      server.use(
        http.get('*/api/v1/banners/RECIPE', () =>
          HttpResponse.json({
            banner: { _id: 'b', code: 'RECIPE', name: 'b', slides: [slide('r1', '수프', { url })] },
          }),
        ),
      )
      renderPage(<Home />)
      await screen.findByRole('region', { name: '광고' })
      const way = screen.queryByRole('link', { name: '수프 보러 가기' })?.getAttribute('href')
      const shows = screen.queryByRole('region', { name: '레시피' }) !== null
      cleanup()
      return [shows, way]
    }
    expect(await show(null, ['/', '/search'])).toEqual([false, undefined])
    expect(await show('/about/blog/1', ['/', '/search'])).toEqual([false, undefined])
    expect(await show('/search?searchValue=a', ['/', '/search'])).toEqual([true, '/search?searchValue=a'])
    expect(await show('/search?searchValue=a', ['/', '/search', '/about/blog'])).toEqual([true, '/about/blog'])
    expect(await show(null, ['/', '/about/blog'])).toEqual([true, '/about/blog'])
    registerRouteLookup(() => true)
  })

  it('requests the banner of its device (V070)', async () => {
    const media = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined }
    vi.stubGlobal('matchMedia', (query: string) => ({ ...media, matches: query.includes('64rem') }))
    renderPage(<Home />)
    await screen.findByText('첫 장')
    expect(new Set(devices)).toEqual(new Set(['MOBILE']))
    vi.unstubAllGlobals()
  })

  it('logs a click on a slide, then opens it; external links in a new window (V071, V072, V208)', async () => {
    const { router } = renderPage(<Home />)
    const outer = (await screen.findByText('바깥')).closest('[role="group"]')
    expect(outer?.querySelector('a')?.getAttribute('target')).toBe('_blank')
    await userEvent.click(await screen.findByRole('link', { name: '첫 장 보러 가기' }))
    await waitFor(() => expect(logged).toEqual([{ _slide: 's1' }]))
    // A slide that opens another site in this window leaves the page while the log is sent.
    expect(outlives).toEqual([true])
    expect(router.state.location.pathname).toBe('/shop/best')
  })

  it('shows a popup until it is closed, and not for a day after ticking the box (V022, V122, V123)', async () => {
    const first = renderPage(<Home />)
    const popup = await screen.findByRole('region', { name: '개점 안내' })
    await userEvent.click(within(popup).getByRole('button', { name: /닫기/ }))
    expect(screen.queryByRole('region', { name: '개점 안내' })).toBeNull()
    expect(document.cookie).not.toContain('popup-pop')
    first.unmount()
    const second = renderPage(<Home />)
    const again = await screen.findByRole('region', { name: '개점 안내' })
    await userEvent.click(within(again).getByRole('checkbox', { name: '오늘 하루 보지 않기' }))
    const written = vi.spyOn(Document.prototype, 'cookie', 'set')
    await userEvent.click(within(again).getByRole('button', { name: /닫기/ }))
    expect(written.mock.calls).toEqual([[expect.stringMatching(/^popup-pop=1; .*max-age=86400;/)]])
    written.mockRestore()
    expect(document.cookie).toContain('popup-pop=1')
    second.unmount()
    renderPage(<Home />)
    await screen.findByRole('region', { name: '광고' })
    expect(screen.queryByRole('region', { name: '개점 안내' })).toBeNull()
  })
})

describe('the slider', () => {
  it('advances every five seconds, loops, and pauses on hover or by its button (V069, V250, V252)', async () => {
    vi.useFakeTimers()
    try {
      const { container } = renderPage(
        <Carousel
          label="배너"
          slides={[
            { key: 'a', content: '가' },
            { key: 'b', content: '나' },
          ]}
        />,
      )
      const shown = () => container.querySelector('[role="group"]:not([inert])')?.textContent
      expect(shown()).toBe('가')
      act(() => void vi.advanceTimersByTime(SLIDE_MS))
      expect(shown()).toBe('나')
      act(() => void vi.advanceTimersByTime(SLIDE_MS))
      expect(shown()).toBe('가')
      act(() => screen.getByRole('button', { name: '자동 재생 멈추기' }).click())
      act(() => void vi.advanceTimersByTime(SLIDE_MS * 3))
      expect(shown()).toBe('가')
    } finally {
      vi.useRealTimers()
    }
  })
})

it('shows once that banners cannot be loaded, and renders without them (V217)', async () => {
  setNotifier((message) => void toast(message, { tone: 'error' }))
  const failed = () => HttpResponse.json({ error: { code: 'x', message: '배너를 읽지 못했습니다.' } }, { status: 500 })
  server.use(http.get('*/api/v1/banners/:code', failed), http.get('*/api/v1/bannerAdvertisements', failed))
  const page = (
    <>
      <Home />
      <Toasts />
    </>
  )
  renderPage(page, '/', queryClient)
  await waitFor(() => {
    const reads = queryClient.getQueryCache().findAll({ predicate: ({ meta }) => meta?.toastOnError === true })
    expect(reads.length).toBeGreaterThan(2)
    expect(reads.every(({ state }) => state.status === 'error')).toBe(true)
  })
  expect(await screen.findAllByText('배너를 읽지 못했습니다.')).toHaveLength(1)
  expect(await screen.findByRole('region', { name: '이번 주 추천' })).toBeTruthy()
})

it("shows the server's message when popups cannot be loaded (V228)", async () => {
  const alert = vi.fn()
  setNotifier(alert)
  server.use(
    http.get('*/api/v1/popups', () =>
      HttpResponse.json({ error: { code: 'x', message: '팝업을 읽지 못했습니다.' } }, { status: 500 }),
    ),
  )
  renderPage(<Popups />, '/')
  await waitFor(() => expect(alert.mock.calls).toEqual([['팝업을 읽지 못했습니다.']]))
})
