// Brands: switching between them, by category and page, and the overview.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card } from '../../testing/shop'
import { Component as One } from './one'
import { Component as View } from './view'

withServer()

const BRANDS = [
  { _id: 'b1', code: 'baram', name: '바람', categories: ['road'], productCount: 21 },
  { _id: 'b2', code: 'hangang', name: '한강', categories: [], productCount: 1 },
  { _id: 'b3', code: 'none', name: '빈손', categories: [], productCount: 0 },
]
/** The requested names. */
let asked: string[]

beforeEach(() => {
  asked = []
  server.use(
    http.get('*/api/v1/shop/brands', ({ request }) => {
      const code = new URL(request.url).searchParams.get('code')
      return HttpResponse.json({ brands: BRANDS.filter((brand) => !code || brand.code === code) })
    }),
    http.get('*/api/v1/shop/categories', () =>
      HttpResponse.json({
        categories: [
          { _id: '1', code: 'bike', name: '자전거', children: [{ _id: '2', code: 'road', name: '로드' }] },
          { _id: '3', code: 'ro', name: '로봇' },
        ],
      }),
    ),
    http.get('*/api/v1/shop/products', ({ request }) => {
      const brand = new URL(request.url).searchParams.get('brand') ?? ''
      asked.push(brand)
      if (brand === 'hangang') return HttpResponse.json({ error: { code: 'x', message: '고장' } }, { status: 404 })
      const first = Number(request.headers.get('skip')) < 21
      return HttpResponse.json({ summary: { totalCount: 21 }, products: first ? [card()] : [] })
    }),
  )
})

const openOne = (at: string) => {
  const router = createMemoryRouter([{ path: '/shop/brands/:code', element: <One /> }], { initialEntries: [at] })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

describe('a brand', () => {
  it('is not reported missing while it is loaded after another', async () => {
    const router = openOne('/shop/brands/baram')
    await screen.findByRole('heading', { level: 1, name: '바람' })
    const seen: string[] = []
    const watch = new MutationObserver(() => seen.push(document.body.textContent ?? ''))
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    await act(() => router.navigate('/shop/brands/hangang'))
    await screen.findByRole('heading', { level: 1, name: '한강' })
    watch.disconnect()
    expect(seen.filter((text) => text.includes('찾으시는 브랜드가 없습니다'))).toEqual([])
  })

  it('is filtered by the top categories of its own products', async () => {
    openOne('/shop/brands/baram?category=road')
    const tab = await screen.findByRole('link', { name: '자전거' })
    expect(tab.getAttribute('aria-current')).toBe('true')
    expect(screen.queryByRole('link', { name: '로봇' })).toBeNull()
    await screen.findByText('바람 로드 105')
    expect(await a11yViolations()).toEqual([])
  })

  it('shows the last page instead of one beyond the end', async () => {
    const router = openOne('/shop/brands/baram?page=9')
    await waitFor(() => expect(router.state.location.search).toBe('?page=2'))
    expect(await screen.findByText('바람 로드 105')).toBeTruthy()
  })
})

describe('the overview of brands', () => {
  it('shows an error if products cannot be loaded, and requests none for brands without products', async () => {
    renderPage(<View />)
    expect(await screen.findByText('바람 로드 105')).toBeTruthy()
    expect(await screen.findByText('고장')).toBeTruthy()
    await waitFor(() => expect(asked.sort()).toEqual(['baram', 'hangang']))
    expect(await a11yViolations()).toEqual([])
  })
})
