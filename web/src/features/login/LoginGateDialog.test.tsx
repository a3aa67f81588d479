// A dialog for members: a login card for guests, and a message for other kinds of members (V198-V200).
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession, endSession, type UserType } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { LoginGateDialog } from './LoginGateDialog'

withServer()
beforeEach(() => endSession())

const show = (userTypes?: readonly UserType[]) =>
  renderPage(
    <main>
      <h1>상품</h1>
      <LoginGateDialog open onOpenChange={() => undefined} title="상품 문의" userTypes={userTypes}>
        <p>무엇이 궁금하세요?</p>
      </LoginGateDialog>
    </main>,
    '/',
  )
const tokensOf = (userType: UserType) => ({
  refreshToken: 'r',
  accessToken: 'a',
  payload: { _user: 'u', userType, scope: [] },
})

it('shows a login card, and its content after the login (V200)', async () => {
  server.use(http.get('*/api/auth/refreshToken', () => HttpResponse.json(tokensOf('PERSON'))))
  show(['PERSON'])
  const layer = within(await screen.findByRole('dialog', { name: '상품 문의' }))
  expect(layer.queryByText('무엇이 궁금하세요?')).toBeNull()
  expect(await a11yViolations()).toEqual([])
  await userEvent.type(layer.getByLabelText('아이디'), 'shopper01')
  await userEvent.type(layer.getByLabelText('비밀번호', { selector: 'input' }), 'jangbu!23')
  await userEvent.click(layer.getByRole('button', { name: '로그인' }))
  expect(await screen.findByText('무엇이 궁금하세요?')).toBeTruthy()
})

it('shows a message to other kinds of members (V199), and nothing extra to the right ones (V198)', async () => {
  beginSession(tokensOf('OPERATOR'))
  const refused = show(['PERSON', 'COMPANY'])
  expect(await screen.findByText(/운영자 계정으로는 이용할 수 없는 기능입니다/)).toBeTruthy()
  expect(screen.queryByText('무엇이 궁금하세요?')).toBeNull()
  expect(await a11yViolations()).toEqual([])
  refused.unmount()
  beginSession(tokensOf('COMPANY'))
  show(['PERSON', 'COMPANY']).unmount()
  show()
  expect(await screen.findByText('무엇이 궁금하세요?')).toBeTruthy()
})
