// My data: only changes are sent, all in one call; a taken nickname is refused at its field, an empty password changes none (V134), a
// new one ends the session.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { validationWords } from '../../i18n/validationWords'
import { a11yViolations } from '../../testing/axe'
import { askedAsGuest, renderPages } from '../../testing/leaving'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { Component as MyInfo } from './index'

withServer()

const ME = {
  _id: 'm1',
  type: 'PERSON',
  level: 'PERSON',
  scope: [],
  username: 'shopper01',
  name: '김하늘',
  nickname: '하늘이',
  email: 'sky@example.com',
  phone: '01012345678',
  companyName: null,
  ceoName: null,
  businessRegistration: null,
  licenseCode: null,
  emailConfirmed: false,
  emailStopped: false,
  advertising: true,
  advertisingTexts: false,
  membershipLevel: null,
  notiCount: 0,
  noti: { isShow: true, disabledCategories: [] },
}

const sent: Record<string, string>[] = []

beforeEach(() => {
  sent.length = 0
  useSession.setState({ refreshToken: 'r', accessToken: 'a' })
  server.use(
    http.get('*/api/v1/me/info', () => HttpResponse.json({ user: ME })),
    http.put('*/api/v1/me/info', async ({ request }) => {
      const body = (await request.json()) as Record<string, string>
      sent.push(body)
      if (body.nickname === '바람')
        return HttpResponse.json(
          { error: { code: 'nickname_taken', message: '이미 쓰는 닉네임입니다.' } },
          { status: 409 },
        )
      if (body.currentPassword === 'wrong12!') {
        const fields = [
          { field: 'currentPassword', code: 'current_password', message: '현재 비밀번호를 확인해 주세요.' },
        ]
        return HttpResponse.json({ error: { code: 'invalid', message: '확인해 주세요.', fields } }, { status: 400 })
      }
      return HttpResponse.json({ user: { ...ME, ...body } })
    }),
  )
})

const field = (label: RegExp) => screen.findByLabelText(label, { selector: 'input' })
const type = async (label: RegExp, text: string) => {
  const input = await field(label)
  await userEvent.clear(input)
  if (text !== '') await userEvent.type(input, text)
}
const save = () => userEvent.click(screen.getByRole('button', { name: ko.action.save }))

// First, because toasts of earlier tests would still be shown.
it('shows a message when nothing was changed, and sends nothing', async () => {
  renderPage(
    <>
      <MyInfo />
      <Toasts />
    </>,
    '/mypage/myinfo',
  )
  await screen.findByDisplayValue('하늘이')
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  expect(await screen.findByText('바뀐 내용이 없습니다.')).toBeTruthy()
  expect(screen.queryByText('내 정보를 저장했습니다.')).toBeNull()
  expect(sent).toEqual([])
})

it('sends changes, and shows refusals at their field', async () => {
  renderPage(<MyInfo />, '/mypage/myinfo')
  await type(/^이름/, '김')
  expect(await a11yViolations()).toEqual([])
  expect(screen.queryByLabelText(/^상호/)).toBeNull()
  await save()
  expect(await screen.findByText(validationWords.name)).toBeTruthy()
  expect(sent).toEqual([])
  await type(/^이름/, '김하늘')
  await type(/^닉네임/, '바람')
  await save()
  expect(await screen.findByText('이미 쓰는 닉네임입니다.')).toBeTruthy()
  await type(/^닉네임/, '바람이')
  await save()
  await waitFor(() => expect(sent).toEqual([{ nickname: '바람' }, { nickname: '바람이' }]))
  expect(useSession.getState().refreshToken).toBe('r')
})

it('takes a birthday, without its year too, and takes it away again; a company names its founding day', async () => {
  const person = renderPage(<MyInfo />, '/mypage/myinfo')
  await type(/^생일/, '02-30')
  await save()
  expect(await screen.findByText('날짜를 1990-12-31 또는 12-31처럼 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await type(/^생일/, '12. 31.')
  await save()
  await waitFor(() => expect(sent).toEqual([{ birthday: '12-31' }]))
  await type(/^생일/, '')
  await save()
  await waitFor(() => expect(sent.at(-1)).toEqual({ birthday: '' }))
  person.unmount()
  const company = { companyName: '바람상회', ceoName: '김대표', businessRegistration: '1', licenseCode: '2026-1' }
  server.use(
    http.get('*/api/v1/me/info', () =>
      HttpResponse.json({ user: { ...ME, ...company, type: 'COMPANY', foundedAt: '2010-03-02' } }),
    ),
  )
  renderPage(<MyInfo />, '/mypage/myinfo')
  expect(await field(/^설립일/)).toHaveProperty('value', '2010-03-02')
  expect(screen.queryByLabelText(/^생일/)).toBeNull()
})

it('asks for the current password for a new e-mail or phone only', async () => {
  renderPage(<MyInfo />, '/mypage/myinfo')
  await type(/^닉네임/, '바람이')
  expect(screen.queryByLabelText(/^현재 비밀번호/)).toBeNull()
  await type(/^휴대폰 번호/, '01099998888')
  expect(await a11yViolations()).toEqual([])
  await save()
  expect(await screen.findByText('현재 비밀번호를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await type(/^현재 비밀번호/, 'wrong12!')
  await save()
  expect(await screen.findByText('현재 비밀번호를 확인해 주세요.')).toBeTruthy()
  await type(/^휴대폰 번호/, '01012345678')
  expect(screen.queryByLabelText(/^현재 비밀번호/)).toBeNull()
  await type(/^이메일/, 'new@example.com')
  await type(/^현재 비밀번호/, 'jangbu!23')
  await save()
  const proven = (change: object, currentPassword: string) => ({ nickname: '바람이', ...change, currentPassword })
  await waitFor(() =>
    expect(sent).toEqual([
      proven({ phone: '01099998888' }, 'wrong12!'),
      proven({ email: 'new@example.com' }, 'jangbu!23'),
    ]),
  )
  expect(useSession.getState().refreshToken).toBe('r')
})

it('changes a password by the rules of joining, and ends the session', async () => {
  const guest = askedAsGuest()
  const router = renderPages('/mypage/myinfo', <MyInfo />)
  await type(/^새 비밀번호\*?$/, 'short')
  await save()
  expect(await screen.findByText(validationWords.password)).toBeTruthy()
  expect(screen.getByText(validationWords.passwordAgain)).toBeTruthy()
  await type(/^새 비밀번호\*?$/, 'jangbu!45')
  await type(/^새 비밀번호 확인/, 'jangbu!45')
  await type(/^현재 비밀번호/, 'wrong12!')
  await type(/^닉네임/, '바람이')
  await save()
  expect(await screen.findByText('현재 비밀번호를 확인해 주세요.')).toBeTruthy()
  expect(useSession.getState().refreshToken).toBe('r')
  await type(/^현재 비밀번호/, 'jangbu!23')
  await save()
  await waitFor(() => expect(useSession.getState().refreshToken).toBeUndefined())
  const asked = (currentPassword: string) => ({ nickname: '바람이', password: 'jangbu!45', currentPassword })
  expect(sent).toEqual([asked('wrong12!'), asked('jangbu!23')])
  expect(router.state.location).toMatchObject({ pathname: '/login', search: '?next=%2Fmypage%2Fmyinfo', state: null })
  await screen.findByRole('heading', { name: '다른 페이지' })
  expect(guest).toEqual([])
})

it('says that mail to the address was stopped', async () => {
  server.use(http.get('*/api/v1/me/info', () => HttpResponse.json({ user: { ...ME, emailStopped: true } })))
  renderPage(<MyInfo />, '/mypage/myinfo')
  expect(await screen.findByText(/메일이 전달되지 않아 발송을 중단했습니다/)).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
})

it('withdraws the consent to advertising and says when', async () => {
  const asked: unknown[] = []
  server.use(
    http.put('*/api/v1/me/advertising', async ({ request }) => {
      const body = (await request.json()) as { agrees: boolean }
      asked.push(body)
      return HttpResponse.json({ user: { ...ME, advertising: body.agrees } })
    }),
  )
  renderPage(
    <>
      <MyInfo />
      <Toasts />
    </>,
    '/mypage/myinfo',
  )
  const agrees = await screen.findByRole('switch', { name: /광고 수신 동의/ })
  expect(agrees.getAttribute('aria-checked')).toBe('true')
  await userEvent.click(agrees)
  expect((await screen.findByRole('status')).textContent).toContain('에 광고성 정보 수신 철회를 처리했습니다.')
  expect(agrees.getAttribute('aria-checked')).toBe('false')
  expect(asked).toEqual([{ agrees: false, channel: 'MAIL' }])
})

it('agrees to texts of advertising apart from mail', async () => {
  const asked: unknown[] = []
  server.use(
    http.put('*/api/v1/me/advertising', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ user: { ...ME, advertisingTexts: true } })
    }),
  )
  renderPage(
    <>
      <MyInfo />
      <Toasts />
    </>,
    '/mypage/myinfo',
  )
  const texts = await screen.findByRole('switch', { name: /광고 문자 수신 동의/ })
  expect(texts.getAttribute('aria-checked')).toBe('false')
  await userEvent.click(texts)
  expect((await screen.findByRole('status')).textContent).toContain('에 광고 문자 수신 동의를 처리했습니다.')
  expect(texts.getAttribute('aria-checked')).toBe('true')
  expect(screen.getByRole('switch', { name: /광고 수신 동의/ }).getAttribute('aria-checked')).toBe('true')
  expect(asked).toEqual([{ agrees: true, channel: 'SMS' }])
})

it('shows whether the address is confirmed, and asks for a mail that confirms it', async () => {
  let asked = 0
  server.use(
    http.post('*/api/v1/me/email/confirmation', () => {
      asked++
      const error = { code: 'too_many_requests', message: '내일 다시 시도해 주세요.', requestId: 'r' }
      return asked === 1 ? new HttpResponse(null, { status: 204 }) : HttpResponse.json({ error }, { status: 429 })
    }),
  )
  const { unmount } = renderPage(
    <>
      <MyInfo />
      <Toasts />
    </>,
  )
  expect(await screen.findByText('확인 전')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '확인 메일 받기' }))
  expect(await screen.findByText(/메일을 보냈습니다/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '확인 메일 다시 받기' }))
  expect(await screen.findByText('내일 다시 시도해 주세요.')).toBeTruthy()
  expect(asked).toBe(2)
  unmount()
  server.use(http.get('*/api/v1/me/info', () => HttpResponse.json({ user: { ...ME, emailConfirmed: true } })))
  renderPage(<MyInfo />)
  expect(await screen.findByText('확인됨')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /확인 메일/ })).toBeNull()
})
