// Refunds for finance: due and late ones, refused ones with the reason, and transfers by staff.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { components } from '../../api/schema.gen'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Page } from './index'

type Refund = components['schemas']['DueRefund']

withServer()

const refund: Refund = {
  _order: 'o1',
  orderNo: '20261125-7KD2M9QX',
  _claim: 'c1',
  kind: 'RETURN',
  purchaseNos: ['20261125-7KD2M9QX-1'],
  approved: false,
  amount: 12_345,
  requestedAt: '2026-11-20T01:00:00Z',
  since: '2026-11-23T01:00:00Z',
  due: '2026-11-26',
  late: true,
  _refund: null,
  _payment: null,
  refusal: null,
  reference: null,
  settledAt: null,
}

let lists: Record<string, Refund[]>

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  lists = {
    due: [
      refund,
      { ...refund, _claim: 'c2', orderNo: '20261125-AAAAAAAA', due: '2026-12-01', late: false, approved: true },
    ],
    refused: [{ ...refund, approved: true, _refund: 'r1', refusal: { code: '2032', message: '잔액이 부족합니다.' } }],
    redirected: [
      { ...refund, approved: true, _refund: 'r2', late: false, reference: 'B-77', settledAt: '2026-11-24T01:00:00Z' },
    ],
  }
  server.use(
    http.get('*/api/console/shop/refunds', ({ request }) => {
      const refunds = lists[new URL(request.url).searchParams.get('state') ?? ''] ?? []
      return HttpResponse.json({ summary: { totalCount: refunds.length }, refunds })
    }),
  )
})

const open = () => renderPage(<Page />, '/console/shop/refunds')

it('flags late refunds, links to the order, and marks expected ones', async () => {
  const { container } = open()
  const table = within(await screen.findByRole('table', { name: '환불 예정' }))
  const [late, inTime] = table.getAllByRole('row').slice(1)
  if (!late || !inTime) throw new Error('two rows')
  expect(within(late).getByText('기한 지남')).toBeTruthy()
  expect(within(late).getByText('예상')).toBeTruthy()
  expect(within(late).getByText('반품')).toBeTruthy()
  expect(within(late).getByText('$123.45')).toBeTruthy()
  expect(within(late).getByRole('link', { name: refund.orderNo }).getAttribute('href')).toBe('/console/shop/orders/o1')
  expect(within(inTime).queryByText('기한 지남')).toBeNull()
  expect(within(inTime).queryByText('예상')).toBeNull()
  expect(await a11yViolations(container)).toEqual([])
})

it('shows why the payment service refused, and transfers by staff', async () => {
  open()
  await userEvent.click(await screen.findByRole('tab', { name: '환불 거절' }))
  const refused = within(await screen.findByRole('table', { name: '환불 거절' }))
  expect(refused.getByText('잔액이 부족합니다.')).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: '계좌 이체' }))
  const sent = within(await screen.findByRole('table', { name: '계좌 이체' }))
  expect(sent.getByText('B-77')).toBeTruthy()
  expect(sent.queryByText('기한 지남')).toBeNull()
})

it('shows that there are none', async () => {
  open()
  await userEvent.click(await screen.findByRole('tab', { name: '결과 확인 중' }))
  expect(await screen.findByText('결과를 모르는 환불이 없습니다')).toBeTruthy()
})
