// Closing the account: confirmed first, a wrong password refused at its field, and logged out afterwards.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { askedAsGuest, renderPages } from '../../testing/leaving'
import { server, withServer } from '../../testing/server'
import { Component as Leaving } from './index'

withServer()

it('asks for confirmation, shows errors at their field, and logs out', async () => {
  const sent: unknown[] = []
  server.use(
    http.post('*/api/v1/me/withdraw', async ({ request }) => {
      const body = (await request.json()) as { password: string }
      sent.push(body)
      if (body.password === 'right1!') return HttpResponse.json({ withdrawn: true })
      const fields = [{ field: 'password', code: 'password', message: '비밀번호가 올바르지 않습니다.' }]
      return HttpResponse.json({ error: { code: 'invalid', message: '확인해 주세요.', fields } }, { status: 400 })
    }),
  )
  server.use(
    http.get('*/api/v1/me/coupons', () =>
      HttpResponse.json({ summary: { totalCount: 4, expiringSoon: 0 }, coupons: [] }),
    ),
    http.get('*/api/v1/me/points', () => HttpResponse.json({ summary: { available: 33_98 }, points: [] })),
  )
  useSession.setState({ refreshToken: 'r', accessToken: 'a' })
  const asked = askedAsGuest()
  const router = renderPages('/mypage/leave', <Leaving />)
  expect(await screen.findByText(/현재 쿠폰 4장, 적립금/)).toHaveProperty(
    'textContent',
    '쿠폰과 적립금은 더 이상 사용할 수 없습니다. (현재 쿠폰 4장, 적립금 $33.98)',
  )
  expect(await a11yViolations()).toEqual([])
  const password = screen.getByLabelText(/^비밀번호/, { selector: 'input' })
  const leave = async (text: string, answer: string) => {
    await userEvent.clear(password)
    await userEvent.type(password, text)
    await userEvent.click(screen.getByRole('button', { name: '탈퇴' }))
    const layer = await screen.findByRole('alertdialog')
    await userEvent.click(within(layer).getByRole('button', { name: answer }))
  }
  await leave('wrong1!', '아니요')
  expect(sent).toEqual([])
  await userEvent.clear(password)
  await userEvent.click(screen.getByRole('button', { name: '탈퇴' }))
  expect(screen.getByText('비밀번호를 입력해 주세요.')).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await leave('wrong1!', '탈퇴')
  expect(await screen.findByText('비밀번호가 올바르지 않습니다.')).toBeTruthy()
  expect(useSession.getState().refreshToken).toBe('r')
  await userEvent.selectOptions(screen.getByLabelText(/^탈퇴 사유/), 'PRIVACY')
  await leave('right1!', '탈퇴')
  await waitFor(() => expect(useSession.getState().refreshToken).toBeFalsy())
  expect(sent).toEqual([
    { password: 'wrong1!', reason: null },
    { password: 'right1!', reason: 'PRIVACY' },
  ])
  expect(router.state.location).toMatchObject({ pathname: '/', state: null })
  await screen.findByRole('heading', { name: '다른 페이지' })
  expect(asked).toEqual([])
})
