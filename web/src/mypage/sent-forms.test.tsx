// "Back" leads neither to a submitted form nor to a deleted item.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { AppQueryClient } from '../api/queryClient'
import { beginSession } from '../api/session'
import { server, withServer } from '../testing/server'
import { Component as EditInquiry } from './inquiries/create'
import { Component as OneInquiry } from './inquiries/one'
import { Component as Reviews } from './reviews-input'

withServer()

const review = {
  _id: 'r1',
  _product: 'p1',
  name: '바람 로드 105',
  optionName: null,
  star: 5,
  subject: '좋아요',
  content: '정말 좋아요.',
  images: [],
  createdAt: '2026-11-19T00:00:00Z',
}
const inquire = {
  _id: 'i1',
  _product: 'p1',
  name: '바람 로드 105',
  subject: '크기가 궁금해요',
  content: '몇 센티미터인가요?',
  secret: false,
  readable: true,
  mine: true,
  removed: false,
  state: 'ANSWER_AWAITING',
  createdAt: '2026-11-19T00:00:00Z',
}

beforeEach(() => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  server.use(
    http.get('*/api/v1/me/reviews/r1', () => HttpResponse.json({ review })),
    http.put('*/api/v1/me/reviews/r1', () => HttpResponse.json({ review })),
    http.get('*/api/v1/me/inquires/i1', () => HttpResponse.json({ inquire })),
    http.put('*/api/v1/me/inquires/i1', () => HttpResponse.json({ inquire })),
    http.delete('*/api/v1/me/inquires/i1', () => HttpResponse.json({ inquire: { ...inquire, removed: true } })),
  )
})

it.each([
  ['a review', '/mypage/reviews', '/mypage/reviews-input/r1', '후기 수정'],
  ['an inquiry', '/mypage/inquiries', '/mypage/inquiries/create/i1', '문의 수정'],
  ['a deleted inquiry', '/mypage/inquiries', '/mypage/inquiries/i1', '삭제'],
])('%s', async (_, list, form, button) => {
  const router = createMemoryRouter(
    [
      { path: '/mypage/reviews-input/:reviewId', element: <Reviews /> },
      { path: '/mypage/inquiries/create/:inquiryId', element: <EditInquiry /> },
      { path: '/mypage/inquiries/:inquiryId', element: <OneInquiry /> },
      { path: '*', element: <p>another page</p> },
    ],
    { initialEntries: ['/', list, form] },
  )
  render(
    <QueryClientProvider client={new AppQueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: button }))
  await waitFor(() => expect(router.state.location.pathname).toBe(list))
  await act(() => router.navigate(-1))
  expect(router.state.location.pathname).toBe(list)
  await act(() => router.navigate(-1))
  expect(router.state.location.pathname).toBe('/')
})
