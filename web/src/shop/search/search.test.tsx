// Search: kinds, scope, page sizes, and empty results.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setNotifier } from '../../api/notify'
import { queryClient } from '../../api/queryClient'
import { endSession } from '../../api/session'
import { recentSearches } from '../../lib/recentSearches'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, store } from '../../testing/shop'
import { Component as SearchPage } from './index'
import { MODES, nothingFound, readSearch, searchHref, shortOf } from './modes'

withServer()
let sizes: (string | null)[]
let shopSizes: (string | null)[]
let userSizes: (string | null)[]
let noted: unknown[]

beforeEach(() => {
  endSession()
  sizes = []
  shopSizes = []
  userSizes = []
  noted = []
  server.use(
    http.get('*/api/v1/shop/products', ({ request }) => {
      sizes.push(request.headers.get('limit'))
      const none = new URL(request.url).searchParams.get('searchValue') === '없음'
      return HttpResponse.json({ summary: { totalCount: none ? 0 : 30 }, products: none ? [] : [card()] })
    }),
    http.get('*/api/v1/shop/stores', ({ request }) => {
      shopSizes.push(request.headers.get('limit'))
      const found = new URL(request.url).searchParams.get('searchValue') === '한강'
      return HttpResponse.json({ summary: { totalCount: found ? 10 : 0 }, stores: found ? [store()] : [] })
    }),
    http.get('*/api/v1/users', ({ request }) => {
      const { searchParams } = new URL(request.url)
      userSizes.push(request.headers.get('limit'))
      const found = searchParams.get('searchKey') === 'nickname' && searchParams.get('searchValue') === '바람'
      const users = [
        { _id: 'u1', nickname: '바람이', type: 'PERSON', sells: false },
        { _id: 'u2', nickname: '바람상회', type: 'COMPANY', sells: true },
      ]
      return HttpResponse.json({ summary: { totalCount: found ? 17 : 0 }, users: found ? users : [] })
    }),
    http.post('*/api/v1/shop/logs', async ({ request }) => {
      noted.push(await request.json())
      return HttpResponse.json({})
    }),
  )
})

describe('/search', () => {
  it('has the page sizes of the specification (V233-V240)', () => {
    expect(MODES.map(({ mode, summary, page }) => [mode, summary, page])).toEqual([
      ['PRODUCT', 4, 12],
      ['STORY', 4, 12],
      ['MINISHOP', 3, 9],
      ['USER', 5, 15],
    ])
  })

  it('shows a summary without a mode, and one kind in pages with it (V042, V043, V044)', async () => {
    const first = renderPage(<SearchPage />, '/search?searchValue=로드')
    expect((await screen.findByRole('link', { name: '모두 보기' })).getAttribute('href')).toBe(
      '/search?searchValue=%EB%A1%9C%EB%93%9C&mode=PRODUCT',
    )
    expect(screen.queryByRole('navigation', { name: '페이지' })).toBeNull()
    expect(sizes).toEqual(['4'])
    expect(await a11yViolations()).toEqual([])
    first.unmount()
    renderPage(<SearchPage />, '/search?searchValue=로드&mode=PRODUCT&page=2')
    expect(await screen.findByRole('navigation', { name: '페이지' })).toBeTruthy()
    expect(sizes.at(-1)).toBe('12')
  })

  it('finds mini-shops by their seller or name, three in the summary, nine per page (V042, V044, V235, V236)', async () => {
    const first = renderPage(<SearchPage />, '/search?searchValue=한강')
    const shops = within(await screen.findByRole('region', { name: /미니샵 10/ }))
    const link = shops.getByRole('link', { name: /한강바이크/ })
    expect(link.getAttribute('href')).toBe('/shop/products?_seller=seller1')
    expect(shops.getByRole('link', { name: '모두 보기' }).getAttribute('href')).toContain('mode=MINISHOP')
    expect(shopSizes).toEqual(['3'])
    first.unmount()
    renderPage(<SearchPage />, '/search?searchValue=한강&mode=MINISHOP')
    expect(await screen.findByRole('navigation', { name: '페이지' })).toBeTruthy()
    expect(shopSizes.at(-1)).toBe('9')
    expect(screen.queryByRole('region', { name: /상품/ })).toBeNull()
  })

  it.each([
    ['*/api/v1/shop/products', '상품을 찾지 못했습니다.'],
    ['*/api/v1/shop/stores', '미니샵을 찾지 못했습니다.'],
    ['*/api/v1/users', '회원을 찾지 못했습니다.'],
  ])("shows the server's message when %s cannot be searched (V217)", async (address, message) => {
    const told = vi.fn()
    setNotifier(told)
    server.use(http.get(address, () => HttpResponse.json({ error: { code: 'x', message } }, { status: 409 })))
    renderPage(<SearchPage />, '/search?searchValue=바람', queryClient)
    await waitFor(() => expect(told.mock.calls).toEqual([[message]]))
    queryClient.clear()
  })

  it('finds members by nickname, five in the summary, fifteen per page; sellers are linked (V212, V239, V240)', async () => {
    const first = renderPage(<SearchPage />, '/search?searchValue=바람')
    const users = within(await screen.findByRole('region', { name: /닉네임 17/ }))
    expect(users.getByRole('link', { name: '바람상회' }).getAttribute('href')).toBe('/shop/products?_seller=u2')
    expect(users.getByText('바람이')).toBeTruthy()
    expect(users.queryByRole('link', { name: '바람이' })).toBeNull()
    expect(users.getByRole('link', { name: '모두 보기' }).getAttribute('href')).toContain('mode=USER')
    expect(userSizes).toEqual(['5'])
    expect(await a11yViolations()).toEqual([])
    first.unmount()
    renderPage(<SearchPage />, '/search?searchValue=바람&mode=USER&page=2')
    expect(await screen.findByRole('navigation', { name: '페이지' })).toBeTruthy()
    expect(userSizes.at(-1)).toBe('15')
  })

  it('offers the scopes, and sends only a new, non-empty term (V045, V161, V162)', async () => {
    const { router } = renderPage(<SearchPage />, '/search?searchValue=로드')
    const form = await screen.findByRole('search', { name: '검색 범위' })
    const scope = within(form).getByRole('combobox')
    expect(
      within(scope)
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['전체글', '상품', '스토리', '미니샵', '닉네임'])
    const send = within(form).getByRole('button', { name: '검색' })
    const before = router.state.location.key
    await userEvent.click(send)
    await userEvent.clear(within(form).getByRole('textbox'))
    await userEvent.click(send)
    expect(router.state.location.key).toBe(before)
    expect(noted).toEqual([])
    await userEvent.type(within(form).getByRole('textbox'), '주스')
    await userEvent.selectOptions(scope, 'STORY')
    await userEvent.click(send)
    await waitFor(() => expect(router.state.location.search).toBe('?searchValue=%EC%A3%BC%EC%8A%A4&mode=STORY'))
    expect(recentSearches()[0]).toBe('주스')
    await waitFor(() => expect(noted).toEqual([{ type: 'SEARCH', value: '주스' }]))
  })

  it('shows that nothing matches, with three tips, for all kinds or for the selected one (V046-V051)', async () => {
    const none = { PRODUCT: 0, STORY: 0, MINISHOP: 0, USER: 0 }
    expect(nothingFound(none, undefined)).toBe(true)
    expect(nothingFound({ ...none, USER: 1 }, undefined)).toBe(false)
    expect(nothingFound({ ...none, USER: 1 }, 'STORY')).toBe(true)
    const first = renderPage(<SearchPage />, '/search?searchValue=없음')
    expect(await screen.findByText('‘없음’에 맞는 내용이 없습니다')).toBeTruthy()
    expect(screen.getByText(/철자/)).toBeTruthy()
    expect(screen.getByText(/다른 검색어/)).toBeTruthy()
    expect(screen.getByText(/일반적인/)).toBeTruthy()
    first.unmount()
    renderPage(<SearchPage />, '/search?searchValue=로드&mode=STORY')
    expect(await screen.findByText('‘로드’에 맞는 스토리 내용이 없습니다')).toBeTruthy()
  })

  it('ignores invalid query parameters', () => {
    expect(readSearch(new URLSearchParams('searchValue= a &mode=ALL&page=-3'))).toEqual({
      term: 'a',
      mode: undefined,
      page: 1,
    })
    expect(searchHref('a', '', 1)).toBe('/search?searchValue=a')
  })
})

it('shortens a long pasted term in headings', () => {
  expect(shortOf('접이식 자전거')).toBe('접이식 자전거')
  expect(shortOf('자전거'.repeat(30))).toBe(`${'자전거'.repeat(10)}…`)
})
