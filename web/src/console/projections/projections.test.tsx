// The page of the log's followers: a stop is explained, and actions are sent to the server.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Component as Page } from './index'
import type { Row } from './ProjectionStatus'

withServer()

const row = (name: string, title: string, more: Partial<Row> = {}): Row => ({
  name,
  title,
  kind: 'readModel',
  version: 1,
  position: 100,
  lag: { events: 0, seconds: 0 },
  state: 'live',
  stops: true,
  parkedStreams: 0,
  heldEvents: 0,
  parked: [],
  ...more,
})

let sent: string[] = []

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  sent = []
  const projections = [
    row('orders', '주문·결제', {
      state: 'stopped',
      position: 12,
      lag: { events: 88, seconds: 40 },
      error: 'OrderPaid of order/7 at position 13: unexpected shape',
      failingSince: '2026-03-02T01:00:00Z',
    }),
    row('members', '회원', {
      stops: false,
      parkedStreams: 1,
      heldEvents: 3,
      parked: [
        {
          kind: 'member',
          _id: 'm1',
          position: 9,
          eventType: 'ProfileRevised',
          error: 'unexpected shape',
          parkedAt: '2026-03-02T01:00:00Z',
          heldEvents: 3,
        },
      ],
    }),
    row('stock', '재고', {
      state: 'rebuilding',
      keptAt: '2026-03-02T01:00:00Z',
      rebuild: { act: 'rebuild', phase: 'reading', done: 500, total: 2000, rate: 250, secondsLeft: 6 },
    }),
    row('products', '상품'),
    row('policy_earning', '구매확정 적립', { kind: 'policy' }),
    row('search', '검색 색인', { kind: 'search', lag: { events: 2, seconds: 61.4 } }),
  ]
  server.use(
    http.get('*/api/console/system/projections', () => HttpResponse.json({ position: 100, projections })),
    http.post('*/api/console/system/projections/:name/:act', ({ params }) => {
      sent.push(`${params.name}/${params.act}`)
      const answer = { projection: projections[0], stopped: true, caughtUp: 0, stillParked: 0 }
      return HttpResponse.json(answer, { status: params.act === 'resume' ? 200 : 202 })
    }),
  )
})

const card = async (title: string) => {
  const heading = await screen.findByRole('heading', { name: title, level: 3 })
  return within(heading.closest('section') as HTMLElement)
}

it('explains a stop, shows held events and the progress of a rebuild, and sends actions', async () => {
  const { container } = renderPage(
    <>
      <Page />
      <ConfirmHost />
    </>,
    '/console/system/projections',
  )
  const orders = await card('주문·결제')
  expect(orders.getByText(/틀린 금액이나 수량을 보여 주지 않으려고/)).toBeTruthy()
  expect(orders.getByText(/at position 13: unexpected shape/)).toBeTruthy()
  expect(orders.getByText('88건, 40초')).toBeTruthy()
  const stock = await card('재고')
  expect(stock.getByText('500 / 2,000 · 초당 250건 · 6초 남음')).toBeTruthy()
  expect(stock.getByRole('button', { name: '다시 만들기' }).ariaDisabled).toBe('true')
  const parked = within((await card('회원')).getByRole('list', { name: '보류된 흐름' }))
  expect(parked.getByRole('link', { name: '회원' }).getAttribute('href')).toBe('/console/ledgers/member/m1')
  expect(parked.getByText('m1')).toBeTruthy()
  expect((await card('구매확정 적립')).queryByRole('button')).toBeNull()
  expect((await card('검색 색인')).getByText('문서 2개, 61초')).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])

  await userEvent.click(orders.getByRole('button', { name: '다시 시작' }))
  await expect.poll(() => sent).toEqual(['orders/resume'])
  await userEvent.click((await card('상품')).getByRole('button', { name: '다시 만들기' }))
  const dialog = await screen.findByRole('alertdialog')
  await userEvent.click(within(dialog).getByRole('button', { name: '다시 만들기' }))
  await expect.poll(() => sent).toEqual(['orders/resume', 'products/rebuild'])
})
