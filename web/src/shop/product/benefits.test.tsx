// A member sees which of their coupons fit a product and what each takes off.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import type { CouponChoice, OrderForm } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, detail, preview, quote } from '../../testing/shop'
import { linesOf } from './Benefits'
import { Component as Product } from './index'

withServer()

let asked: OrderForm[]
let searched: string[]
let drawn: unknown[]
const coupon = (name: string, ...takes: number[]): CouponChoice => ({
  _issued: name,
  name,
  stage: 'product',
  applicable: ['1'],
  takes: takes.map((amount) => ({ purchaseNo: '1', amount })),
})

beforeEach(() => {
  asked = []
  searched = []
  drawn = []
  const nothing = { summary: { totalCount: 0 }, products: [], reviews: [], inquires: [], brands: [], categories: [] }
  server.use(
    http.get('*/api/v1/shop/products/', () => HttpResponse.json({ product: detail() })),
    http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
      asked.push((await request.json()) as OrderForm)
      searched.push(new URL(request.url).search)
      const offer = { stage: 'total', unit: 'PERCENT', value: 10, drawn: false, limit: null, priceMin: null } as const
      const autumn = { ...offer, _id: 'c9', name: '가을', takes: 700, sentence: '모든 회원이 내려받아 10% 할인' }
      const coupons = [coupon('조금', 100), coupon('안 맞음'), coupon('많이', 300, 500)]
      return HttpResponse.json(
        preview(quote([{ product: card(), quantity: 1 }]), {
          coupons,
          offers: drawn.length > 0 ? [] : [autumn],
          points: { available: 0, usable: 0, conditions: [], limitedBy: [], earns: 123 },
        }),
      )
    }),
    http.post('*/api/v1/me/coupons', async ({ request }) => {
      drawn.push(await request.json())
      return HttpResponse.json({ coupon: {} }, { status: 201 })
    }),
    http.post('*/api/v1/me/watches', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/*', () => HttpResponse.json(nothing)),
  )
})

it('lists the coupons that fit, the largest first', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const { container } = renderPage(<Product />)
  const list = within(await screen.findByRole('region', { name: '쓸 수 있는 쿠폰' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['많이-$5.00', '조금-$1.00'])
  expect(asked[0]?.carts).toEqual([{ _product: 'p1', quantity: 1 }])
  expect(await a11yViolations(container)).toEqual([])
})

it('says what is earned in numbers', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  renderPage(<Product />)
  const said = await screen.findByText(/구매를 확정하면 .*가 적립됩니다/)
  expect(said.textContent).toBe('구매를 확정하면 $1.23가 적립됩니다.')
})

it('offers coupons to download, with what each takes off', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const { container } = renderPage(<Product />)
  const list = within(await screen.findByRole('region', { name: '받을 수 있는 쿠폰' }))
  expect(list.getByRole('listitem').textContent).toBe('가을모든 회원이 내려받아 10% 할인-$7.00받기')
  expect(searched).toEqual(['?offers=true'])
  expect(await a11yViolations(container)).toEqual([])
  const before = asked.length
  await userEvent.click(list.getByRole('button', { name: '가을 받기' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: '받을 수 있는 쿠폰' })).toBeNull())
  expect(drawn).toEqual([{ _coupon: 'c9' }])
  // the coupon is in the box now: what it takes off is asked for again
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

it('asks for nothing where one is not signed in, or nothing can be bought', async () => {
  endSession()
  renderPage(<Product />)
  await screen.findByRole('heading', { level: 1, name: '바람 로드 105' })
  expect(screen.queryByRole('region', { name: '쓸 수 있는 쿠폰' })).toBeNull()
  expect(asked).toEqual([])
  const gone = { _id: 'o', enabled: true, soldOut: true, stock: 0, salePrice: 1, value: 'a', name: '색' }
  const options = [gone as ReturnType<typeof detail>['options'][number]]
  const optionsConf = { enabled: true, sort: null, criteria: [] }
  expect(linesOf(detail({ options, optionsConf }), [])).toEqual([])
})
