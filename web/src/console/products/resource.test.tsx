// Products in the console: parts by type, defaults of a new one, and the seller.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { renderPage } from '../../testing/render'
import { schemaOf } from '../../testing/schemas'
import { server, withServer } from '../../testing/server'
import { possibleColumns } from '../crud/columns'
import { ResourcePage } from '../crud/ResourcePage'
import { listOf } from '../crud/resourceDefinition'
import { schemaForScopes } from '../crud/schema'
import { Component as Create } from './create'
import { productForm } from './form'
import { product } from './resource'

withServer()

it.each([
  ['NORMAL_PRODUCT', false],
  ['PRODUCT_BUNDLE', true],
  ['VARIETY_BUNDLE', true],
])('a %s has parts in its form: %s', (type, asked) => {
  const parts = product.sections.find(({ fields }) => fields.includes('bundleds'))
  expect(parts?.when?.({ type })).toBe(asked)
})

describe('the seller of a product', () => {
  it.each([
    ['staff, who can narrow the list by it', ['console'], true],
    ['no seller: all of theirs are', ['company'], false],
  ])('is shown to %s', (_, scopes, told) => {
    const kind = schemaForScopes(schemaOf('product'), scopes)
    expect(possibleColumns(listOf(product), kind).includes('_seller')).toBe(told)
    expect(kind.filters.some(({ name }) => name === '_seller')).toBe(told)
  })
})

const stored = {
  _id: 'p1',
  version: 7,
  removed: false,
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-02T00:00:00Z',
  code: 'BK-1',
  name: '바람 로드',
  type: 'NORMAL_PRODUCT',
  _seller: 's1',
  price: 120000,
  salePrice: 108000,
  discountRate: 10,
  discount: { unit: 'PERCENT', value: 10 },
  shows: true,
  optionsConf: { enabled: true, sort: 'OTHER', criteria: ['사이즈'] },
  options: [{ _id: 'o1', name: '사이즈', value: 'M', price: 500, enabled: true }],
  supplies: [{ _id: 'u1', name: '자물쇠', quantity: 1 }],
  stock: [{ _stock: 'o1', available: 3, sells: 9 }],
  thumb: { url: '/files/a.webp', alt: '앞' },
  hashtags: ['로드'],
}

it('a copy takes over everything but the code, the history and the stock', async () => {
  const made: Record<string, unknown>[] = []
  server.use(
    http.post('*/api/console/shop/products', async ({ request }) => {
      made.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json({ product: { _id: 'p9', version: 1 } }, { status: 201 })
    }),
    http.get('*/api/console/shop/products/p1', () => HttpResponse.json({ product: stored })),
    http.get('*/api/*', () => HttpResponse.json({ summary: { totalCount: 0 }, events: [] })),
  )
  useSession.setState({ payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] } })
  const { unmount } = renderPage(<ResourcePage def={productForm} id="p1" />, '/console/shop/products/p1')
  const copy = await screen.findByRole('link', { name: '복사해서 새로 만들기' })
  expect(copy.getAttribute('href')).toBe('/console/shop/products/create?copyOf=p1')
  expect(screen.getByRole('link', { name: '쇼핑몰에서 보기' }).getAttribute('href')).toBe('/shop/products/p1')
  unmount()
  renderPage(<Create />, '/console/shop/products/create?copyOf=p1')
  expect(await screen.findByDisplayValue('바람 로드 사본')).toBeTruthy()
  expect(screen.queryByRole('link', { name: '쇼핑몰에서 보기' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  expect(await screen.findByText('상품코드: 필수 입력 항목입니다.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText(/^상품코드/), 'BK-2')
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(made).toHaveLength(1))
  const { options: [option] = [], supplies, ...rest } = made[0] as { options?: unknown[]; supplies?: unknown }
  expect(rest).toEqual({
    type: 'NORMAL_PRODUCT',
    _seller: 's1',
    code: 'BK-2',
    name: '바람 로드 사본',
    price: 120000,
    discount: { unit: 'PERCENT', value: 10 },
    shows: false,
    optionsConf: { enabled: true, sort: 'OTHER', criteria: ['사이즈'] },
    thumb: { url: '/files/a.webp', alt: '앞' },
    hashtags: ['로드'],
  })
  expect(option).toMatchObject({ name: '사이즈', value: 'M', price: 500, enabled: true, stock: 0 })
  expect(option).not.toHaveProperty('_id')
  expect(supplies).toEqual([{ name: '자물쇠', quantity: 1 }])
})

it('a new product is ordinary and hidden by default', async () => {
  const made: unknown[] = []
  server.use(
    http.post('*/api/console/shop/products', async ({ request }) => {
      made.push(await request.json())
      return HttpResponse.json({ product: { _id: 'p9', version: 1 } }, { status: 201 })
    }),
    http.get('*/api/console/*', () => HttpResponse.json({ summary: { totalCount: 0 } })),
  )
  // a seller's own: the form has no seller field
  useSession.setState({ payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] } })
  renderPage(<ResourcePage def={product} />, '/console/shop/products/create')
  await userEvent.type(await screen.findByLabelText(/^상품명/), '종이 학')
  await userEvent.type(screen.getByLabelText(/^상품코드/), 'CRANE')
  await userEvent.type(screen.getByLabelText(/^정가/), '12')
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(made).toHaveLength(1))
  expect(made[0]).toMatchObject({ type: 'NORMAL_PRODUCT', shows: false, name: '종이 학' })
})
