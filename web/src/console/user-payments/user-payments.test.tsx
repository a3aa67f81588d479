// What buyers are asked to pay besides their orders: the list by status and number, and doing without one.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { Component as Page } from './index'
import type { UserPayment } from './types'

withServer()

const NUMBER = '20261121-7KD2M9QX-F1'
const awaiting: UserPayment = {
  _id: 'p1',
  number: NUMBER,
  purpose: 'EXCHANGE_FEE',
  _user: 'm1',
  _order: 'o1',
  orderNo: '20261121-7KD2M9QX',
  purchaseNo: '20261121-7KD2M9QX-1',
  _claim: 'c1',
  name: '봄날 셔츠',
  seller: { _id: 's1', nickname: '한강상회' },
  amount: 500,
  status: 'PAY_AWAITING',
  _payment: null,
  reason: null,
  createdAt: '2026-11-21T03:00:00Z',
  paymentAt: null,
  cancelable: true,
}
const paid: UserPayment = {
  ...awaiting,
  _id: 'p2',
  number: '20261120-AAAAAAAA-F1',
  status: 'PAY_COMPLETED',
  paymentAt: '2026-11-21T05:00:00Z',
  cancelable: false,
}
/** Only the difference of a dearer option: it cannot be waived. */
const difference: UserPayment = { ...awaiting, _id: 'p3', number: '20261119-BBBBBBBB-F1', cancelable: false }
/** Paid, and refunded because its exchange was rejected. */
const refunded: UserPayment = {
  ...awaiting,
  _id: 'p4',
  number: '20261118-CCCCCCCC-F1',
  status: 'PAY_CANCELED',
  _payment: 'pay1',
  reason: '교환 거절',
  cancelable: false,
}

let rows: UserPayment[]
let asked: Record<string, string>[]
let sent: [string, unknown][]
let refuses: boolean

beforeEach(() => {
  rows = [awaiting, paid, difference, refunded]
  asked = []
  sent = []
  refuses = false
  server.use(
    http.get('*/api/console/users/payments', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json({ summary: { totalCount: rows.length }, payments: rows })
    }),
    http.put('*/api/console/users/payments/:id/cancel', async ({ params, request }) => {
      sent.push([String(params['id']), await request.json()])
      if (refuses) {
        const error = { code: 'not_allowed_now', message: '이미 결제되었습니다.' }
        return HttpResponse.json({ error }, { status: 409 })
      }
      rows = [
        { ...awaiting, status: 'PAY_CANCELED', reason: '교환 배송비 면제', cancelable: false },
        paid,
        difference,
        refunded,
      ]
      return HttpResponse.json({ payment: rows[0] })
    }),
  )
})

const start = (scope: 'console' | 'company') => {
  const userType = scope === 'console' ? 'OPERATOR' : 'COMPANY'
  beginSession({ accessToken: 'a', refreshToken: 'r', payload: { _user: 'u', userType, scope: [scope] } })
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    '/console/user-payments',
  )
  return screen.findByRole('table', { name: '추가 결제' })
}

it('lists them, and does without one that is not paid', async () => {
  const table = await start('console')
  expect(await within(table).findByText('결제 완료')).toBeTruthy()
  expect(within(table).getAllByText(/한강상회/).length).toBeGreaterThan(0)
  expect(within(table).getByText(/계좌 입금/)).toBeTruthy()
  const order = within(table).getByRole('link', { name: NUMBER })
  expect(order.getAttribute('href')).toBe('/console/shop/orders/o1')
  expect(within(table).getAllByRole('button')).toHaveLength(1)
  const back = within(table).getByText('환불').closest('tr') as HTMLElement
  expect(back.textContent).toContain(refunded.number)
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(within(table).getByRole('button', { name: `${NUMBER} 받지 않기` }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/\$5(\.00)? 가운데 교환 배송비를 받지 않습니다/)).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: '받지 않기' }))
  expect(within(dialog).getByText('사유를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.type(within(dialog).getByLabelText(/사유/), ' 단골 ')
  await userEvent.click(within(dialog).getByRole('button', { name: '받지 않기' }))
  expect(await screen.findByText('교환 배송비를 받지 않기로 했습니다.')).toBeTruthy()
  expect(sent).toEqual([['p1', { reason: '단골' }]])
  expect(await within(table).findByText('교환 배송비 면제')).toBeTruthy()
  expect(within(table).queryByRole('button')).toBeNull()
})

it('shows a refusal in the dialog and reads the list again', async () => {
  refuses = true
  const table = await start('company')
  await userEvent.click(await within(table).findByRole('button', { name: `${NUMBER} 받지 않기` }))
  expect(within(table).queryByText(/한강상회/)).toBeNull()
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByLabelText(/사유/), '단골')
  const before = asked.length
  await userEvent.click(within(dialog).getByRole('button', { name: '받지 않기' }))
  expect(await within(dialog).findByText('이미 결제되었습니다.')).toBeTruthy()
  expect(asked.length).toBeGreaterThan(before)
})

it('finds by number and status', async () => {
  await start('console')
  await userEvent.type(screen.getByRole('searchbox', { name: '번호' }), '20261121{Enter}')
  await userEvent.click(await screen.findByRole('radio', { name: '결제 대기' }))
  await waitFor(() => expect(asked).toContainEqual({ searchValue: '20261121', status: 'PAY_AWAITING' }))
})
