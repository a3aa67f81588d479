// A member sees which of their coupons fit a product and what each takes off.
import { screen, within } from '@testing-library/react'
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
const coupon = (name: string, ...takes: number[]): CouponChoice => ({
  _issued: name,
  name,
  stage: 'product',
  applicable: ['1'],
  takes: takes.map((amount) => ({ purchaseNo: '1', amount })),
})

beforeEach(() => {
  asked = []
  const nothing = { summary: { totalCount: 0 }, products: [], reviews: [], inquires: [], brands: [], categories: [] }
  server.use(
    http.get('*/api/v1/shop/products/', () => HttpResponse.json({ product: detail() })),
    http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
      asked.push((await request.json()) as OrderForm)
      const coupons = [coupon('조금', 100), coupon('안 맞음'), coupon('많이', 300, 500)]
      return HttpResponse.json(preview(quote([{ product: card(), quantity: 1 }]), { coupons }))
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
