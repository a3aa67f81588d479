// The product list: its state is in the address. And selecting options step by step.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProductOption } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card } from '../../testing/shop'
import { autoSelectSingle, choose, stepChoices, steps } from '../product/options'
import { Component as List } from './index'
import { ALL, listingHref, readListing } from './listing'

withServer()
let asked: { query: string; skip: string | null }[]
beforeEach(() => {
  asked = []
  server.use(
    http.get('*/api/v1/shop/categories', () =>
      HttpResponse.json({
        categories: [
          { _id: '1', code: 'bicycle', name: '자전거', children: [{ _id: '2', code: 'bicycle-road', name: '로드' }] },
        ],
      }),
    ),
    http.get('*/api/v1/shop/products', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push({ query: searchParams.toString(), skip: request.headers.get('skip') })
      const none = searchParams.get('searchValue') === '없음'
      return HttpResponse.json({
        summary: { totalCount: none ? 0 : 600 },
        products: none ? [] : [card(), card({ _id: 'p2', name: '다 팔린 것', soldOut: true })],
      })
    }),
  )
})

describe('/shop/products', () => {
  it('requests the filters in the address, page by page with eleven buttons (V241)', async () => {
    renderPage(<List />, '/shop/products?category=bicycle-road&sort=PRICE_ASC&page=3')
    expect(await screen.findByRole('heading', { level: 1, name: '로드' })).toBeTruthy()
    expect(asked).toEqual([{ query: 'category=bicycle-road&sort=PRICE_ASC&facets=true', skip: '40' }])
    expect(await screen.findByText('Sold Out')).toBeTruthy()
    const pages = screen.getAllByRole('link', { name: /^\d+ 페이지$/ })
    expect(pages).toHaveLength(11)
    expect(pages[0]?.getAttribute('href')).toBe('/shop/products?category=bicycle-road&sort=PRICE_ASC')
    expect(await a11yViolations()).toEqual([])
  })

  it('narrows a category to one of its brands, by their logos', async () => {
    const brands = [{ code: 'baram', name: '바람', label: { url: '/pictures/baram.webp' } }]
    server.use(
      http.get('*/api/v1/shop/categories', () =>
        HttpResponse.json({ categories: [{ _id: '1', code: 'bicycle', name: '자전거', brands, children: [] }] }),
      ),
    )
    renderPage(<List />, '/shop/products?category=bicycle&page=3')
    const shown = within(await screen.findByRole('navigation', { name: '자전거 브랜드' }))
    const one = shown.getByRole('link', { name: '바람' })
    expect(one.getAttribute('href')).toBe('/shop/products?category=bicycle&brand=baram')
    expect(one.querySelector('img')?.getAttribute('src')).toBe('/pictures/baram.webp')
  })

  it('writes the sort into the address and starts at the first page', async () => {
    const { router } = renderPage(<List />, '/shop/products?category=bicycle&page=3')
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: '정렬' }), '이름순')
    await waitFor(() => expect(router.state.location.search).toBe('?category=bicycle&sort=NAME'))
  })

  it('shows that a category is unknown', async () => {
    server.use(
      http.get('*/api/v1/shop/products', () => HttpResponse.json({ summary: { totalCount: 0 }, products: [] })),
    )
    renderPage(<List />, '/shop/products?category=unicycle&sort=NAME')
    expect(await screen.findByText('없는 카테고리입니다')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: '없는 카테고리' })).toBeTruthy()
    expect(screen.queryByText('아직 상품이 없습니다')).toBeNull()
    const on = screen.getByRole('link', { name: '전체 상품' })
    expect(on.getAttribute('href')).toBe('/shop/products?sort=NAME')
  })

  it("shows one seller's products, and removes that filter", async () => {
    renderPage(<List />, '/shop/products?_seller=s1')
    const chip = await screen.findByRole('link', { name: '한강바이크 조건 해제' })
    expect(asked).toEqual([{ query: '_seller=s1&facets=true', skip: '0' }])
    expect(chip.getAttribute('href')).toBe('/shop/products')
  })

  it('shows the unit of amounts, and accepts them with or without the sign', async () => {
    const summary = { totalCount: 2, facets: { brands: [], price: { min: 400, max: 429050 } } }
    server.use(http.get('*/api/v1/shop/products', () => HttpResponse.json({ summary, products: [card()] })))
    const { router } = renderPage(<List />, '/shop/products')
    const least = await screen.findByRole('textbox', { name: '최저 가격' })
    await waitFor(() => expect(least.getAttribute('placeholder')).toBe('$4'))
    const most = screen.getByRole('textbox', { name: '최고 가격' })
    expect(most.getAttribute('placeholder')).toBe('$4,290.50')
    await userEvent.type(least, '$5')
    await userEvent.type(most, '12.5')
    await userEvent.click(screen.getByRole('button', { name: '가격 적용' }))
    await waitFor(() => expect(router.state.location.search).toBe('?priceMin=500&priceMax=1250'))
  })

  it('does not filter by invalid amounts: the input is kept, with an error', async () => {
    const { router } = renderPage(<List />, '/shop/products?priceMin=500&priceMax=1250')
    const least = await screen.findByRole<HTMLInputElement>('textbox', { name: '최저 가격' })
    const most = screen.getByRole<HTMLInputElement>('textbox', { name: '최고 가격' })
    const apply = () => userEvent.click(screen.getByRole('button', { name: '가격 적용' }))
    await userEvent.clear(most)
    await userEvent.type(most, '12쯤')
    await apply()
    expect(router.state.location.search).toBe('?priceMin=500&priceMax=1250')
    expect(most.value).toBe('12쯤')
    expect([least, most].map((one) => one.getAttribute('aria-invalid'))).toEqual([null, 'true'])
    expect(screen.getByRole('alert').textContent).toBe('금액을 바르게 입력해 주세요. (예: 5.00)')
    expect(document.activeElement).toBe(most)
    expect(await a11yViolations()).toEqual([])
    await userEvent.clear(most)
    await userEvent.type(most, '12')
    expect(screen.queryByRole('alert')).toBeNull()
    await apply()
    await waitFor(() => expect(router.state.location.search).toBe('?priceMin=500&priceMax=1200'))
  })

  it('shows that nothing matches, with a link', async () => {
    renderPage(<List />, '/shop/products?category=bicycle&searchValue=없음')
    expect(await screen.findByText('‘없음’에 맞는 상품이 없습니다')).toBeTruthy()
    expect(screen.getByRole('link', { name: '모든 카테고리에서 찾기' }).getAttribute('href')).toBe(
      '/shop/products?searchValue=%EC%97%86%EC%9D%8C',
    )
  })

  it('ignores invalid query parameters', () => {
    expect(readListing(new URLSearchParams('sort=DROP&page=-2&priceMin=-1&priceMax=x&inStock=1'))).toEqual(ALL)
    const all =
      'category=juice&groups=a%2Cb&brand=x%2Cy&priceMin=100&priceMax=900&inStock=true&freeShipping=true&page=3'
    expect(listingHref(readListing(new URLSearchParams(all)))).toBe(`/shop/products?${all}`)
    expect(listingHref({ page: 1 })).toBe('/shop/products')
  })
})

const option = (value: string, part: Partial<ProductOption> = {}): ProductOption => ({
  _id: value,
  name: '색상 / 사이즈',
  value,
  price: 0,
  salePrice: 1000,
  stock: 2,
  soldOut: false,
  enabled: true,
  ...part,
})

describe('selecting options', () => {
  const all = [
    option('빨강 / S'),
    option('빨강 / M', { soldOut: true, stock: 0 }),
    option('검정 / S', { soldOut: true }),
  ]
  it('goes step by step', () => {
    expect(steps(all)).toEqual(['색상', '사이즈'])
    expect(stepChoices(all, 2, []).map((one) => [one.value, one.soldOut])).toEqual([
      ['빨강', false],
      ['검정', true],
    ])
    expect(stepChoices(all, 2, ['빨강']).map((one) => [one.value, one.soldOut, one.option?._id])).toEqual([
      ['S', false, '빨강 / S'],
      ['M', true, '빨강 / M'],
    ])
  })
  it('preselects a single option', () => {
    expect(autoSelectSingle(all, 2, [])).toEqual([])
    expect(autoSelectSingle(all.slice(0, 2), 2, [])).toEqual(['빨강'])
  })
  it('is one step if the values have no parts', () =>
    expect(steps([option('빨강'), option('검정')])).toEqual(['색상, 사이즈']))
  it('sums quantities, up to the stock only', () => {
    const one = option('빨강 / S')
    const twice = choose(choose(choose([], one), one), one)
    expect(twice).toEqual([{ option: one, quantity: 2 }])
  })
})
