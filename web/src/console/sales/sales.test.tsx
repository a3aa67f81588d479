// The plots of a period: chart data is also in a table, and an empty period shows a message.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { formatCount, formatShort } from './format'
import { Sales } from './Sales'

withServer()

const NONE = { nonpayment: 0, payment: 0, delivery: 0, cancel: 0, exchange: 0, return: 0, complete: 0 }
let counts: Record<string, number>
let asked: Record<string, string>[]

beforeEach(() => {
  asked = []
  counts = { all: 6, ...NONE, payment: 4, cancel: 2 }
  const summary = { orders: 0, quantity: 0, sales: 0, canceled: 0 }
  const days = { from: '2026-03-01', to: '2026-03-31' }
  const none = { summary, days, dailySales: [], dayOfWeekSales: [], productsSales: [] }
  server.use(
    http.get('*/api/console/statistics/:of', () => HttpResponse.json(none)),
    http.get('*/api/console/shop/purchases/dashboard/all', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json({ counts })
    }),
  )
})

const open = () => renderPage(<Sales />, '/console/dashboard?from=2026-03-01&to=2026-03-31')

it('show the states of the orders of the period, also to screen readers', async () => {
  open()
  const table = within(await screen.findByRole('table', { name: '주문상품 상태' }))
  const rows = table.getAllByRole('row').slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    '결제대기0개',
    '결제완료4개',
    '배송0개',
    '취소2개',
    '교환0개',
    '반품0개',
    '구매확정0개',
  ])
  expect(asked).toEqual([{ from: '2026-03-01', to: '2026-03-31' }])
  expect(await a11yViolations()).toEqual([])
})

it('follow the period', async () => {
  const { router } = open()
  await screen.findByRole('table', { name: '주문상품 상태' })
  await userEvent.click(screen.getByRole('radio', { name: '최근 7일' }))
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[1]?.from).toBe(new URLSearchParams(router.state.location.search).get('from'))
})

it('show that nothing was ordered', async () => {
  counts = { all: 0, ...NONE }
  open()
  expect(await screen.findByText('이 기간에는 주문이 없습니다.')).toBeTruthy()
  expect(screen.queryByRole('table', { name: '주문상품 상태' })).toBeNull()
})

it('shows that the plots are loading, and that figures are by payment date', async () => {
  open()
  expect(screen.getAllByText('불러오는 중').length).toBe(4)
  expect(screen.getByText('결제일 기준, 취소·반품 전 금액입니다.')).toBeTruthy()
  expect(await screen.findByText('0건', { selector: 'dd' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('불러오는 중')).toBeNull())
})

it('numbers have their unit, and equal steps on an axis stay equal', () => {
  expect([0, 45_000, 135_000, 999_900, 1_250_000].map(formatShort.amount)).toEqual([
    '$0',
    '$450',
    '$1,350',
    '$9,999',
    '$1.25만',
  ])
  expect(formatShort.pieces(15)).toBe('15개')
  expect([formatCount.amount(135_000), formatCount.orders(1234), formatCount.pieces(4)]).toEqual([
    '$1,350.00',
    '1,234건',
    '4개',
  ])
})
