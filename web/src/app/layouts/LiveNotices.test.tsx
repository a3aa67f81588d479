// A new notification while the page is open: the count in the header, the open drawer, and what a screen reader hears.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { AppQueryClient } from '../../api/queryClient'
import { beginSession, endSession } from '../../api/session'
import { useUnreadCount } from '../../features/notifications/unread'
import { server, withServer } from '../../testing/server'
import LiveNotices from './LiveNotices'
import NotificationDrawer from './NotificationDrawer'

withServer()

const alarm = (title: string) => ({
  _id: title,
  title,
  shows: true,
  createdAt: '2026-11-20T00:00:00Z',
  url: '/mypage/orders',
  category: 'ORDER',
})
let alarms: ReturnType<typeof alarm>[]
let send: (unreadCount: number, news: typeof alarms) => void

beforeEach(() => {
  endSession()
  alarms = [alarm('결제가 완료되었습니다')]
  server.use(
    http.get('*/api/v1/me/info', () => HttpResponse.json({ user: { _id: 'u', type: 'PERSON', notiCount: 1 } })),
    http.get('*/api/v1/me/alarms', () => HttpResponse.json({ alarms })),
    http.get('*/api/v1/me/alarms/stream', () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (unreadCount, news) => {
            const data = JSON.stringify({ unreadCount, alarms: news })
            controller.enqueue(new TextEncoder().encode(`event: alarms\nid: ${unreadCount}\ndata: ${data}\n\n`))
          }
        },
      })
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
  )
})

const Count = () => <output>{useUnreadCount()}</output>

const show = (scope: 'company'[] = []) => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope } })
  const page = (
    <>
      <Count />
      <LiveNotices />
      <NotificationDrawer onClose={() => undefined} />
    </>
  )
  const client = new AppQueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: page }])} />
    </QueryClientProvider>,
  )
}

it('is counted, listed and read out without a request of the page', async () => {
  const { container } = show()
  await screen.findByText('결제가 완료되었습니다')
  const count = () => container.querySelector('output')?.textContent
  const said = () => container.querySelector('p[role="status"]')?.textContent
  await waitFor(() => expect(count()).toBe('1'))
  const news = alarm('상품이 발송되었습니다')
  alarms = [news, ...alarms]
  await waitFor(() => expect(send).toBeDefined())
  send(2, [news])
  await waitFor(() => expect(count()).toBe('2'))
  await screen.findByText('상품이 발송되었습니다')
  expect(said()).toBe('새 알림: 상품이 발송되었습니다')
  // Read in another window: fewer, and nothing is said.
  send(0, [])
  await waitFor(() => expect(count()).toBe('0'))
  expect(said()).toBe('새 알림: 상품이 발송되었습니다')
})

it('of sales is a kind for sellers only', async () => {
  const shopper = show()
  await screen.findByText('결제가 완료되었습니다')
  expect(screen.queryByRole('radio', { name: '판매' })).toBeNull()
  shopper.unmount()
  show(['company'])
  expect(await screen.findByRole('radio', { name: '판매' })).toBeTruthy()
})
