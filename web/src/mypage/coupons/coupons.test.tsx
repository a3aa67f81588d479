// The coupon box tells the limits of a coupon, and which ones the shop took back and why.

import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { AppQueryClient } from '../../api/queryClient'
import { beginSession } from '../../api/session'
import type { MyCoupon } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { server, withServer } from '../../testing/server'
import { Component as Coupons } from './index'

withServer()

const boxed = (more: Partial<MyCoupon>): MyCoupon => ({
  _id: 'i1',
  _coupon: 'c1',
  name: '생일 쿠폰',
  sentence: '주문 전체에서 10% 할인',
  goods: [],
  stage: 'total',
  unit: 'PERCENT',
  value: 10,
  state: 'expired',
  expiringSoon: false,
  endsAt: '2026-11-01T15:00:00Z',
  ...more,
})

it('says the limits of each, and that one was taken back', async () => {
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  const coupons = [
    boxed({ name: '로드', sentence: '자전거 하나에서 10% 할인, $50 이상', goods: ['로드', '하이브리드'] }),
    boxed({
      _id: 'i2',
      name: '회수한 쿠폰',
      state: 'taken',
      memo: '잘못 드렸습니다',
      sentence: '주문 전체에서 10% 할인, 최대 $30',
    }),
  ]
  server.use(
    http.get('*/api/v1/me/coupons', () => HttpResponse.json({ summary: { totalCount: 2, expiringSoon: 0 }, coupons })),
  )
  const router = createMemoryRouter([{ path: '/mypage/coupons/:tab', element: <Coupons /> }], {
    initialEntries: ['/mypage/coupons/expired'],
  })
  const { container } = render(
    <QueryClientProvider client={new AppQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const [first, second] = (await screen.findAllByRole('heading', { level: 2 })).map((one) => one.closest('li'))
  expect(within(first as HTMLElement).getByText('자전거 하나에서 10% 할인, $50 이상')).toBeTruthy()
  expect(within(first as HTMLElement).getByText('쓸 수 있는 곳: 로드, 하이브리드')).toBeTruthy()
  expect(within(second as HTMLElement).queryByText(/쓸 수 있는 곳/)).toBeNull()
  expect(within(first as HTMLElement).queryByText('회수됨')).toBeNull()
  expect(within(second as HTMLElement).getByText('회수됨')).toBeTruthy()
  expect(within(second as HTMLElement).getByText('잘못 드렸습니다')).toBeTruthy()
  expect(within(second as HTMLElement).getByText('주문 전체에서 10% 할인, 최대 $30')).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])
})
