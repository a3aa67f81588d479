// The page of an order in a router of its own, and the server's responses for it, for tests.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beginSession } from '../api/session'
import { Component as OrderPage } from '../console/orders'
import { happened, order, purchase } from '../console/testing'
import { server } from './server'
import { refundPreview } from './shop'

export const NO = '260302001-1'
export const unpaid = order({
  status: 'ORDER_NONPAYMENT',
  statusText: '결제대기',
  purchases: [purchase(NO, { orderStatus: 'ORDER_NONPAYMENT', statusText: '결제대기', nextActions: [] })],
})
export const paid = order()
/** Requested positions, and sent commands. */
export type Calls = { asked: string[]; sent: { path: string; body: unknown }[] }

/** Signs staff in and serves the order's state, past states and history. */
export function serveOrder(): Calls {
  const asked: Calls['asked'] = []
  const sent: Calls['sent'] = []
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  server.use(
    http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {}, couriers: [] })),
    http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: paid })),
    http.get('*/api/console/shop/orders/o1/history', () =>
      HttpResponse.json({
        events: [
          happened(10, 'OrderPlaced', '주문이 접수되었습니다', { actor: { kind: 'member', id: 'm2', name: '길동' } }),
          happened(20, 'OrderPaid', '결제가 완료되었습니다', {
            actor: { kind: 'policy', name: 'payment-approved' },
            causationId: 'e10',
            reason: '승인됨',
          }),
        ],
      }),
    ),
    http.get('*/api/console/shop/orders/o1/asof', ({ request }) => {
      const position = new URL(request.url).searchParams.get('position') ?? ''
      asked.push(position)
      return HttpResponse.json({ order: position === '10' ? unpaid : paid, position: Number(position) })
    }),
    http.put('*/api/console/shop/purchases/:no', async ({ request }) => {
      sent.push({ path: new URL(request.url).pathname, body: await request.json() })
      return HttpResponse.json({})
    }),
    http.post('*/api/console/shop/purchases/cancel/preview', () =>
      HttpResponse.json({
        refunds: [{ _order: 'o1', purchaseNos: [NO], preview: refundPreview() }],
        sums: { refund: 100000, points: 200 },
        failed: [],
      }),
    ),
    http.post('*/api/console/shop/orders/o1/cancel', async ({ request }) => {
      sent.push({ path: new URL(request.url).pathname, body: await request.json() })
      return HttpResponse.json({ order: paid })
    }),
  )
  return { asked, sent }
}

export function renderOrderPage(at = '/console/shop/orders/o1') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter([{ path: '/console/shop/orders/:orderId', element: <OrderPage /> }], {
    initialEntries: [at],
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

/** The slider through the order's past. */
export const slider = () => screen.findByRole('slider', { name: '조회 시점' })
