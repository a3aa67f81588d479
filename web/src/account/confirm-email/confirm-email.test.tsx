// Confirming an e-mail address: by a click of the member, who logs in on the page itself.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as ConfirmEmail } from './index'

withServer()

const CONFIRM = '*/api/v1/me/email/confirm'
const show = (hash: string) =>
  renderPage(<ConfirmEmail />, `/center/confirm-email/m1${hash}`, undefined, '/center/confirm-email/:userId')
const logIn = () => useSession.setState({ accessToken: 'a', payload: { _user: 'm1', userType: 'PERSON', scope: [] } })

beforeEach(() => useSession.setState({ accessToken: undefined, payload: undefined }))

it('confirms by a click with the token behind the hash sign', async () => {
  const sent: unknown[] = []
  server.use(
    http.post(CONFIRM, async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ user: { email: 'sky@example.com', emailConfirmed: true } })
    }),
  )
  logIn()
  show('#secret')
  expect(sent).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '이메일 확인하기' }))
  expect((await screen.findByRole('status')).textContent).toContain('sky@example.com')
  expect(sent).toEqual([{ token: 'secret' }])
  expect(await a11yViolations()).toEqual([])
})

it('shows why a link cannot be used, and where to get another one', async () => {
  const message = '다른 회원이 이미 확인한 이메일입니다.'
  const refused = { error: { code: 'email_taken', message, requestId: 'r' } }
  server.use(http.post(CONFIRM, () => HttpResponse.json(refused, { status: 409 })))
  logIn()
  show('#secret')
  await userEvent.click(screen.getByRole('button', { name: '이메일 확인하기' }))
  expect((await screen.findByRole('alert')).textContent).toContain(message)
  expect(screen.getByRole('link', { name: '내 정보에서 다시 받기' }).getAttribute('href')).toBe('/mypage/myinfo')
})

it('asks a visitor to log in, and a link without its token to be opened as it is', () => {
  const { unmount } = show('#secret')
  expect(screen.getByLabelText('아이디')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '이메일 확인하기' })).toBeNull()
  unmount()
  logIn()
  show('')
  expect(screen.getByRole('alert').textContent).toContain('주소가 완전하지 않습니다')
})
