// The member's orders: the filter is in the address and in the request; claims are filtered by step (V104).
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { order, purchase } from '../../testing/shop'
import { Component as Orders } from './index'

withServer()

let asked: Record<string, string>[]

beforeEach(() => {
  asked = []
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/orders', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json({ summary: { totalCount: 0, counts: {} }, orders: [] })
    }),
  )
})

const open = async (at: string) => {
  const shown = renderPage(<Orders />, at)
  await screen.findByText(/^(조건에 맞는|취소한|교환한|반품한) 주문이 없습니다$/)
  return shown
}
const steps = () => screen.queryByRole('radiogroup', { name: '처리 상태' })
const names = () =>
  within(steps() as HTMLElement)
    .getAllByRole('radio')
    .map((one) => one.closest('label')?.textContent)

it('requests the step of the address, and puts a selected one there', async () => {
  const { router } = await open('/mypage/orders/cancel?months=6&step=requested')
  expect(asked).toEqual([{ filter: 'cancel', months: '6', step: 'requested' }])
  expect(names()).toEqual(['모든 상태', '요청', '완료', '거부'])
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('radio', { name: '완료' }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ filter: 'cancel', months: '6', step: 'completed' }))
  expect(router.state.location.pathname + router.state.location.search).toBe(
    '/mypage/orders/cancel?months=6&step=completed',
  )
})

it('drops the step when the list changes; only exchanges have "in progress", and lists without claims no step', async () => {
  const { router } = await open('/mypage/orders?filter=exchange&months=3&step=processing')
  expect(names()).toContain('진행 중')
  await userEvent.click(screen.getByRole('radio', { name: '배송중' }))
  await waitFor(() => expect(router.state.location.search).toBe('?filter=shipped&months=3'))
  await waitFor(() => expect(steps()).toBeNull())
  expect(asked.at(-1)).toEqual({ filter: 'shipped', months: '3' })
})

it.each([
  ['취소 내역', '취소한 주문이 없습니다', 'cancel'],
  ['반품 내역', '반품한 주문이 없습니다', 'return'],
])('%s has an address of its own, and shows where to apply', async (title, none, filter) => {
  const { router } = await open(`/mypage/orders/${filter}`)
  expect(asked).toEqual([{ filter, months: '3' }])
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
  const empty = within(screen.getByText(none).parentElement as HTMLElement)
  expect(empty.getByRole('link', { name: '주문 내역' }).getAttribute('href')).toBe('/mypage/orders')
  await userEvent.click(screen.getByRole('radio', { name: '진행 중' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/mypage/orders'))
  expect(router.state.location.search).toBe('?filter=processing&months=3')
})

it('redirects the former addresses of these lists', async () => {
  const { router } = renderPage(<Orders />, '/mypage/orders?filter=return&months=&step=rejected')
  await waitFor(() => expect(router.state.location.pathname).toBe('/mypage/orders/return'))
  expect(router.state.location.search).toBe('?months=&step=rejected')
  expect(asked).toEqual([])
})

it('shows the total of an order, fares included', async () => {
  server.use(
    http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} })),
    http.get('*/api/v1/me/orders', () =>
      HttpResponse.json({
        summary: { totalCount: 1, counts: {} },
        orders: [
          order({ payable: 2_019_30, nextActions: ['cancel'], purchases: [purchase(), purchase({ purchaseNo: 'b' })] }),
        ],
      }),
    ),
  )
  renderPage(<Orders />, '/mypage/orders')
  expect((await screen.findByText(/^주문 금액/)).textContent).toBe('주문 금액 $2,019.30')
  expect(screen.getByRole('link', { name: '전체 주문취소' })).toBeTruthy()
})

it('does not request a step the list does not have', async () => {
  await open('/mypage/orders/return?step=processing')
  expect(asked).toEqual([{ filter: 'return', months: '3' }])
})
