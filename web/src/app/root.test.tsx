// The app's frame when a session ends: nothing of it stays on the screen.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { memo, type ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useApiQuery } from '../api/query'
import { queryClient } from '../api/queryClient'
import { beginSession, endSession, useLoggedIn } from '../api/session'
import { server, withServer } from '../testing/server'
import { toast } from '../ui/toast'
import { Root } from './Root'

withServer()
beforeEach(() => {
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} })))
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
})
afterEach(endSession)

function open(page: ReactNode) {
  const router = createMemoryRouter([{ Component: Root, children: [{ path: '*', element: page }] }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

it('takes back what a toast offers when the session ends, and shows what comes after', async () => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  open(<h1>목록</h1>)
  void toast('삭제했습니다.', { duration: 60_000, action: { label: '되돌리기', onClick: () => undefined } })
  await screen.findByRole('button', { name: '되돌리기' })
  endSession()
  void toast('로그아웃했습니다.')
  await screen.findByText('로그아웃했습니다.')
  await waitFor(() => expect(screen.queryByRole('button', { name: '되돌리기' })).toBeNull())
  expect(screen.getByText('로그아웃했습니다.')).toBeTruthy()
})

it('says why it leaves when the session was ended in another window', async () => {
  history.replaceState(null, '', '/')
  open(<h1>목록</h1>)
  const name = 'jangbu.session'
  const value = JSON.stringify({ state: {}, version: 0 })
  localStorage.setItem(name, value)
  dispatchEvent(new StorageEvent('storage', { key: name, newValue: value }))
  await screen.findByText('다른 창에서 로그아웃했습니다.')
})

function Brands() {
  const { data } = useApiQuery('/api/v1/shop/brands')
  return <p>{data ? `브랜드 ${data.summary.totalCount}` : '읽는 중'}</p>
}
const Info = memo(function Info() {
  const { data } = useApiQuery('/api/v1/me/info', {}, { enabled: useLoggedIn() })
  return <p>{data ? '회원' : '손님'}</p>
})

it('reads a page that stays again, whether it was loaded or loading, but nothing that only the member could read', async () => {
  const asked: string[] = []
  let answer: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    answer = resolve
  })
  server.use(
    http.get('*/api/v1/shop/brands', async ({ request }) => {
      asked.push(`brands ${request.headers.get('Authorization') ?? ''}`)
      if (asked.filter((one) => one.startsWith('brands')).length === 1) await first
      return HttpResponse.json({ summary: { totalCount: 3 }, brands: [] })
    }),
    http.get('*/api/v1/me/info', ({ request }) => {
      asked.push(`info ${request.headers.get('Authorization') ?? ''}`)
      return HttpResponse.json({ user: {} })
    }),
  )
  open(
    <>
      <Brands />
      <Info />
    </>,
  )
  await screen.findByText('회원')
  endSession()
  answer()
  await screen.findByText('손님')
  await screen.findByText('브랜드 3')
  expect(asked.toSorted()).toEqual(['brands ', 'brands Bearer a', 'info Bearer a'])
})
