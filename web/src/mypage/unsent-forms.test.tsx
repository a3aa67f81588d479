// A page with unsent input asks before it is left, once per attempt; a form that was sent does not.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import type { ComponentType } from 'react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { AppQueryClient } from '../api/queryClient'
import { beginSession } from '../api/session'
import { LEAVE_QUESTION } from '../features/forms/unsaved'
import { Component as Contact } from '../shop/center/contact'
import { server, withServer } from '../testing/server'
import { order, purchase } from '../testing/shop'
import { ConfirmHost } from '../ui/confirm'
import { Component as Claims } from './claims'
import { Component as EditInquiry } from './inquiries/create'
import { Component as Question } from './questions/create'
import { Component as Reviews } from './reviews-input'

withServer()

const known = { _id: 'k1', _product: 'p1', name: '바람 로드 105', optionName: null, removed: false }
const review = { ...known, star: 5, subject: '좋아요', content: '정말 좋아요.', images: [] }
const inquire = { ...known, subject: '크기가 궁금해요', content: '몇 센티미터인가요?', state: 'ANSWER_AWAITING' }
const delivered = purchase({ nextActions: ['requestReturn', 'requestExchange'] })

beforeEach(() => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/reviews/k1', () => HttpResponse.json({ review })),
    http.get('*/api/v1/me/inquires/k1', () => HttpResponse.json({ inquire })),
    http.get('*/api/v1/me/orders/:id', () => HttpResponse.json({ order: order({ purchases: [delivered] }) })),
    http.post('*/preview', () => new HttpResponse(null, { status: 500 })),
    http.get('*/api/v1/me/purchases/:purchaseNo/exchange', () => new HttpResponse(null, { status: 500 })),
    http.get('*/api/v1/me/destinations', () => HttpResponse.json({ destinations: [] })),
  )
})

function Frame() {
  return (
    <>
      <Outlet />
      <ConfirmHost />
    </>
  )
}

function open(path: string, at: string, Page: ComponentType) {
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [
          { path, Component: Page },
          { path: '*', element: <h1>다른 페이지</h1> },
        ],
      },
    ],
    { initialEntries: [at] },
  )
  render(
    <QueryClientProvider client={new AppQueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

const answer = async (name: string) => {
  const question = await screen.findByRole('alertdialog', { name: LEAVE_QUESTION })
  await userEvent.click(within(question).getByRole('button', { name }))
}

const APPLICATIONS = '/mypage/orders'
it.each<[string, string, ComponentType, RegExp, string]>([
  ['/about/contact', '', Contact, /^문의 내용/, '글'],
  ['/mypage/questions/create', '', Question, /^문의 내용/, '글'],
  ['/mypage/inquiries/create/:inquiryId', '/mypage/inquiries/create/k1', EditInquiry, /^문의 내용/, '글'],
  ['/mypage/reviews-input/:reviewId', '/mypage/reviews-input/k1', Reviews, /^후기/, '글'],
  [`${APPLICATIONS}/return-application`, `${APPLICATIONS}/return-application?order=o1`, Claims, /^상세주소/, '9층'],
  [`${APPLICATIONS}/exchange-application`, `${APPLICATIONS}/exchange-application?order=o1`, Claims, /^상세주소/, '9층'],
])('%s', async (path, at, Page, label, text) => {
  const router = open(path, at || path, Page)
  const field = await screen.findByRole('textbox', { name: label })
  await act(() => router.navigate('/cart'))
  await screen.findByRole('heading', { name: '다른 페이지' })
  await act(() => router.navigate(-1))
  await userEvent.type(await screen.findByRole('textbox', { name: label }), text)
  expect(field.isConnected).toBe(false)
  act(() => void router.navigate('/cart'))
  await answer('아니요')
  const kept = screen.getByRole<HTMLTextAreaElement>('textbox', { name: label })
  expect(kept.value).toContain(text)
  act(() => void router.navigate('/cart'))
  await answer('네')
  await screen.findByRole('heading', { name: '다른 페이지' })
})

it('leads on without a question once the form was sent', async () => {
  server.use(
    http.post('*/api/v1/center/questions', () => HttpResponse.json({ question: { _id: 'q1' } }, { status: 201 })),
  )
  const router = open('/mypage/questions/create', '/mypage/questions/create', Question)
  await userEvent.selectOptions(await screen.findByLabelText(/^분류/), '배송')
  await userEvent.type(screen.getByLabelText(/^제목/), '언제 오나요')
  await userEvent.type(screen.getByLabelText(/^문의 내용/), '기다리고 있습니다.')
  await userEvent.click(screen.getByRole('button', { name: '문의 등록' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/mypage/questions/q1'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
