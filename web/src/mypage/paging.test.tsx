// A member's likes and coupons have twenty per page; beyond the end the last page is shown.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../api/session'
import type { MyCoupon } from '../api/types'
import { renderPage } from '../testing/render'
import { server, withServer } from '../testing/server'
import { card } from '../testing/shop'
import { Component as Coupons } from './coupons'
import { Component as Likes } from './likes'

withServer()

/** The requested page of `all`. */
function pageOf<T>(all: readonly T[], { headers }: Request): T[] {
  const skip = Number(headers.get('skip'))
  return all.slice(skip, skip + Number(headers.get('limit')))
}

beforeEach(() =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } }),
)

describe('likes', () => {
  let liked: string[]
  beforeEach(() => {
    liked = Array.from({ length: 21 }, (_, i) => `p${i + 1}`)
    server.use(
      http.get('*/api/v1/me/likes', ({ request }) =>
        HttpResponse.json({
          summary: { totalCount: liked.length },
          likes: pageOf(liked, request).map((_product) => ({
            _id: `like-${_product}`,
            _product,
            product: card({ _id: _product, name: `상품 ${_product}`, meta: { ...card().meta, liked: true } }),
          })),
        }),
      ),
      http.post('*/api/v1/me/likes', async ({ request }) => {
        const { _product } = (await request.json()) as { _product: string }
        liked = liked.filter((one) => one !== _product)
        return HttpResponse.json({ like: null })
      }),
    )
  })

  it('have a second page', async () => {
    renderPage(<Likes />, '/mypage/likes')
    expect(await screen.findAllByRole('article')).toHaveLength(20)
    expect(screen.getByText('21개')).toBeTruthy()
    const pages = within(screen.getByRole('navigation', { name: '페이지' }))
    await userEvent.click(pages.getByRole('link', { name: '2 페이지' }))
    expect(await screen.findByRole('link', { name: '상품 p21' })).toBeTruthy()
  })

  it('show the previous page when the last item of a page is unliked', async () => {
    const { router } = renderPage(<Likes />, '/mypage/likes?page=2')
    await userEvent.click(await screen.findByRole('button', { name: '상품 p21 찜 해제' }))
    await waitFor(() => expect(router.state.location.search).toBe('?page=1'))
    expect(await screen.findAllByRole('article')).toHaveLength(20)
    expect(screen.queryByRole('navigation', { name: '페이지' })).toBeNull()
  })
})

describe('coupons', () => {
  const coupons = Array.from(
    { length: 21 },
    (_, i): MyCoupon => ({
      _id: `c${i + 1}`,
      _coupon: 'c',
      name: `쿠폰 ${i + 1}`,
      stage: 'total',
      state: 'held',
      expiringSoon: i === 0,
      endsAt: '2999-12-31T00:00:00Z',
      unit: 'PERCENT',
      value: 10,
      sentence: '주문 전체에서 10% 할인',
      goods: [],
    }),
  )
  let asked: (string | null)[]
  beforeEach(() => {
    asked = []
    server.use(
      http.get('*/api/v1/me/coupons', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('tab'))
        const summary = { totalCount: coupons.length, expiringSoon: 1 }
        return HttpResponse.json({ summary, coupons: pageOf(coupons, request) })
      }),
      http.get('*/api/v1/shop/coupons', () => HttpResponse.json({ coupons: [] })),
    )
  })

  it('that expire soon have a tab of their own, with a count', async () => {
    const { router } = renderPage(<Coupons />, '/mypage/coupons')
    const tab = await screen.findByRole('link', { name: '만료임박 1' })
    expect(screen.getAllByText(/만료임박$/, { selector: 'li *' })).toHaveLength(1)
    expect(tab.getAttribute('href')).toBe('/mypage/coupons/expiring')
    expect(asked).toEqual(['usable'])
    expect(router.state.location.pathname).toBe('/mypage/coupons')
  })

  it('that cannot be used yet show their start', async () => {
    const [later, now] = coupons.map((coupon, i) => ({ ...coupon, startsAt: i === 0 ? '2999-01-01T00:00:00Z' : null }))
    server.use(
      http.get('*/api/v1/me/coupons', () =>
        HttpResponse.json({ summary: { totalCount: 2, expiringSoon: 0 }, coupons: [later, now] }),
      ),
    )
    renderPage(<Coupons />, '/mypage/coupons')
    await screen.findByRole('heading', { name: '쿠폰 2' })
    const begins = screen.getAllByText(/부터 사용할 수 있습니다$/)
    expect(begins.map((one) => one.textContent)).toEqual(['2999. 01. 01.부터 사용할 수 있습니다'])
  })

  it('that end at midnight are valid until the day before, and show the hour when that is near', async () => {
    const ends = [
      { endsAt: '2999-12-31T15:00:00Z', expiringSoon: false },
      { endsAt: '2999-06-01T01:00:00Z', expiringSoon: true },
    ]
    const two = coupons.slice(0, 2).map((coupon, i) => ({ ...coupon, ...ends[i] }))
    server.use(
      http.get('*/api/v1/me/coupons', () =>
        HttpResponse.json({ summary: { totalCount: 2, expiringSoon: 0 }, coupons: two }),
      ),
    )
    renderPage(<Coupons />, '/mypage/coupons')
    const until = (await screen.findAllByText(/까지/, { selector: 'p' })).map((one) => one.textContent)
    expect(until).toEqual(['2999. 12. 31.까지', '2999. 06. 01. 09:59까지 · 만료임박'])
    // No badge for zero.
    expect(screen.getByRole('link', { name: '만료임박' })).toBeTruthy()
  })

  it("that can be claimed are listed before the member's own", async () => {
    const offer = { stage: 'total', unit: 'PERCENT', value: 10, sentence: '내려받아 10% 할인, $10 이상' }
    const offers = [
      { ...offer, _id: 'a', name: '받은 것', drawn: true },
      { ...offer, _id: 'b', name: '받을 것', drawn: false },
    ]
    server.use(http.get('*/api/v1/shop/coupons', () => HttpResponse.json({ coupons: offers })))
    renderPage(<Coupons />, '/mypage/coupons')
    const section = within(await screen.findByRole('region', { name: '받을 수 있는 쿠폰' }))
    expect(section.getAllByRole('heading', { level: 3 }).map((one) => one.textContent)).toEqual(['받을 것', '받은 것'])
    expect(section.getAllByText('내려받아 10% 할인, $10 이상')).toHaveLength(2)
    expect(section.getByRole('button', { name: '받은 쿠폰' })).toHaveProperty('ariaDisabled', 'true')
  })

  it('have a second page, and none after it', async () => {
    const { router } = renderPage(<Coupons />, '/mypage/coupons?page=9')
    expect(await screen.findByRole('heading', { name: '쿠폰 21' })).toBeTruthy()
    expect(router.state.location.search).toBe('?page=2')
    const pages = within(screen.getByRole('navigation', { name: '페이지' }))
    await userEvent.click(pages.getByRole('link', { name: '1 페이지' }))
    expect(await screen.findByRole('heading', { name: '쿠폰 20' })).toBeTruthy()
  })
})
