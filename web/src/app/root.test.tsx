// The app's frame when a session ends: nothing of it stays on the screen.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '../api/queryClient'
import { beginSession, endSession } from '../api/session'
import { server, withServer } from '../testing/server'
import { toast } from '../ui/toast'
import { Root } from './Root'

withServer()
beforeEach(() => server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} }))))
afterEach(endSession)

it('takes back what a toast offers when the session ends, and shows what comes after', async () => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  const router = createMemoryRouter([{ Component: Root, children: [{ path: '*', element: <h1>목록</h1> }] }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  void toast('삭제했습니다.', { duration: 60_000, action: { label: '되돌리기', onClick: () => undefined } })
  await screen.findByRole('button', { name: '되돌리기' })
  endSession()
  void toast('로그아웃했습니다.')
  await screen.findByText('로그아웃했습니다.')
  await waitFor(() => expect(screen.queryByRole('button', { name: '되돌리기' })).toBeNull())
  expect(screen.getByText('로그아웃했습니다.')).toBeTruthy()
})
