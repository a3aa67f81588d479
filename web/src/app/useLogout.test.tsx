// Logout does not discard unsaved input: a user who declines stays logged in.
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { beginSession, endSession, useSession } from '../api/session'
import { recordWords } from '../console/crud/words'
import { useLeaveWarning } from '../features/forms/unsaved'
import { useLogoutOnArrival } from '../features/login/logoutOnArrival'
import { useLogout } from '../features/login/useLogout'
import { ConfirmHost } from '../ui/confirm'

beforeEach(() =>
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  }),
)
afterEach(endSession)

function Frame() {
  useLogoutOnArrival()
  const leave = useLogout()
  return (
    <>
      <button type="button" onClick={() => void leave()}>
        나가기
      </button>
      <Outlet />
      <ConfirmHost />
    </>
  )
}
function Unsaved() {
  useLeaveWarning(true)
  return <h1>쓰던 글</h1>
}

it('asks about unsaved input, and logs out only after confirmation', async () => {
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [
          { path: '/', element: <h1>홈</h1> },
          { path: '/form', Component: Unsaved },
        ],
      },
    ],
    { initialEntries: ['/form'] },
  )
  render(<RouterProvider router={router} />)
  const leave = async (answer: string) => {
    await userEvent.click(screen.getByRole('button', { name: '나가기' }))
    const question = await screen.findByRole('alertdialog', { name: 'Do you want to logout?' })
    expect(within(question).getByText('로그아웃할까요?')).toBeTruthy()
    await userEvent.click(within(question).getByRole('button', { name: '로그아웃' }))
    const unsaved = await screen.findByRole('alertdialog', { name: recordWords.leave })
    await userEvent.click(within(unsaved).getByRole('button', { name: answer }))
  }
  await leave('아니요')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('heading', { name: '쓰던 글' })).toBeTruthy()
  expect(useSession.getState().refreshToken).toBe('r')
  await leave('네')
  await screen.findByRole('heading', { name: '홈' })
  await waitFor(() => expect(useSession.getState().refreshToken).toBeUndefined())
  expect(router.state.location.state).toBeNull()
})
