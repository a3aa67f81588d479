// The best set of coupons at once, or none; why one does not fit; and what points say of themselves.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import type { CouponChoice, OrderForm, Preview, UsablePoints } from '../../api/types'
import { startCheckout } from '../../features/orders/checkoutSession'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, preview, quote } from '../../testing/shop'
import { Component as Order } from './index'

withServer()

const BIKE = { product: card(), quantity: 1 }
const coupon = (stage: CouponChoice['stage'], _issued: string, amount: number): CouponChoice => ({
  _issued,
  name: `쿠폰 ${_issued}`,
  stage,
  applicable: ['1'],
  takes: [{ purchaseNo: stage === 'total' ? null : '1', amount }],
})
const useless: CouponChoice = { ...coupon('total', 'c', 0), applicable: [], takes: [], why: 'below_minimum' }
const coupons = [coupon('product', 'a', 1200), coupon('total', 'b', 2000), useless]
const bestCoupons = { coupons: [{ _issued: 'b' }], amount: 2000 }
const points: UsablePoints = {
  available: 5_00,
  usable: 5_00,
  conditions: [
    { code: 'least', message: '$1.00부터 사용할 수 있습니다.' },
    { code: 'share', message: '결제 금액의 30%까지 사용할 수 있습니다.' },
  ],
  limitedBy: ['share'],
}

let asked: OrderForm[]

/** Neither of the two is used with the other: with both, only the product coupon works. */
function priced(form: OrderForm): Preview {
  const wanted = (form.coupons ?? []).map(({ _issued }) => _issued)
  const used = wanted.includes('a') ? 'a' : wanted[0]
  const off = { a: 1200, b: 2000 }[used ?? ''] ?? 0
  const base = quote([BIKE])
  const uses = used
    ? [
        {
          _issued: used,
          _coupon: 'd',
          name: used,
          stage: 'product' as const,
          amount: off,
          sellerShare: 0,
          counted: false,
        },
      ]
    : []
  const totals = { ...base.totals, productCoupon: used === 'a' ? off : 0, totalCoupon: used === 'b' ? off : 0 }
  return preview(
    { ...base, coupons: uses, totals: { ...totals, payable: totals.payable - off } },
    { coupons, bestCoupons, points },
  )
}

beforeEach(() => {
  asked = []
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/info', () =>
      HttpResponse.json({ user: { _id: 'u', type: 'PERSON', name: '이서연', phone: '01012345678', email: 'a@b.kr' } }),
    ),
    http.get('*/api/v1/me/destinations', () => HttpResponse.json({ destinations: [] })),
    http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
      const form = (await request.json()) as OrderForm
      asked.push(form)
      return HttpResponse.json(priced(form))
    }),
  )
  startCheckout({ lines: [{ _product: 'p1', quantity: 1 }] })
})

const pays = (amount: string) => screen.findByRole('button', { name: `${amount} 결제하기` })

it('applies the set that takes off most, though its coupons are not the most, and takes none on a word', async () => {
  renderPage(<Order />, '/shop/order')
  await userEvent.click(await screen.findByRole('button', { name: '가장 큰 할인 적용 (-$20.00)' }))
  expect(await pays('$1,141.00')).toBeTruthy()
  expect(await screen.findByText('가장 큰 할인을 적용했습니다.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /가장 큰 할인 적용/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '쿠폰 쓰지 않기' }))
  expect(await pays('$1,161.00')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: '쿠폰 쓰지 않기' })).toBeNull())
  // The sheet priced what it held, and no set besides.
  const priced = asked.map(({ coupons = [] }) => coupons.map(({ _issued }) => _issued).join())
  expect(priced).toEqual(['', 'b', ''])
  expect(await a11yViolations()).toEqual([])
})

it('says why a coupon does not fit', async () => {
  renderPage(<Order />, '/shop/order')
  await userEvent.click(await screen.findByText('이번 주문에 쓸 수 없는 쿠폰 1장'))
  expect(screen.getByText('쿠폰 c: 최소 금액에 못 미침')).toBeTruthy()
})

it('says how points can be used', async () => {
  renderPage(<Order />, '/shop/order')
  const rules = within(await screen.findByRole('list', { name: '적립금 사용 조건' }))
  expect(rules.getByText('$1.00부터 사용할 수 있습니다.').className).toBe('')
  // The one that keeps it from being more stands out.
  expect(rules.getByText('결제 금액의 30%까지 사용할 수 있습니다.').className).toContain('font-semibold')
})
