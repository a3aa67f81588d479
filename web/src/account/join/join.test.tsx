// Joining: no form without the terms, errors for each field, and the request.
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { endSession, setAgreements, useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Agreement } from './agreement'
import { Component as Done } from './done'
import { Component as Form } from './form'
import { JOINED } from './Step'

withServer()
beforeEach(endSession)

const fill = async (typed: Record<string, string>) => {
  for (const [label, value] of Object.entries(typed)) {
    await userEvent.click(screen.getByLabelText(new RegExp(`^${label}\\*?$`)))
    await userEvent.paste(value)
  }
}
const typePerson = () =>
  fill({
    아이디: 'hong123',
    이름: '홍길동',
    닉네임: '길동이',
    이메일: 'hong@shop.kr',
    '휴대폰 번호': '01012345678',
    비밀번호: 'secret!123',
    '비밀번호 확인': 'secret!123',
  })
const send = () => userEvent.click(screen.getByRole('button', { name: '가입하기' }))
const refusal = (status: number, code: string, message: string, field?: string) =>
  HttpResponse.json({ error: { code, message, ...(field && { fields: [{ field, code, message }] }) } }, { status })

describe('/join/agreement', () => {
  it('continues only with the required terms', async () => {
    const { router } = renderPage(<Agreement />, '/join/agreement')
    await userEvent.click(screen.getByRole('button', { name: '다음' }))
    expect(screen.getByText('필수 약관에 동의해 주세요.')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('모두 동의합니다'))
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '다음' }))
    expect(router.state.location.pathname).toBe('/join/form')
    expect(useSession.getState().agreements).toContain('privacy')
  })

  it('shows the text of each of the terms', async () => {
    server.use(
      http.get('*/api/v1/terms/:code', ({ params }) =>
        params.code === 'marketing'
          ? refusal(404, 'not_found', '없습니다.')
          : HttpResponse.json({
              terms: { _id: 't', code: params.code, name: '약관', content: `<p>${params.code} 제1조</p>`, edition: 2 },
            }),
      ),
    )
    renderPage(<Agreement />, '/join/agreement')
    const [service, privacy, marketing, ...others] = screen.getAllByText('내용 보기')
    expect(others).toEqual([])
    await userEvent.click(service as HTMLElement)
    expect((await screen.findByRole('region', { name: '이용약관' })).textContent).toContain('service 제1조')
    await userEvent.click(privacy as HTMLElement)
    expect(await screen.findByText('privacy 제1조')).toBeTruthy()
    await userEvent.click(marketing as HTMLElement)
    expect(await screen.findByText('별도로 정한 약관이 없습니다.')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })
})

describe('/join/form', () => {
  it('redirects visitors who have not accepted the terms', () => {
    const { router } = renderPage(<Form />, '/join/form')
    expect(router.state.location.pathname).toBe('/join/agreement')
  })

  it("shows an error at every required field, including a company's (V128-V148)", async () => {
    setAgreements(['age', 'service', 'privacy'])
    renderPage(<Form />, '/join/form?type=COMPANY')
    await userEvent.click(screen.getByRole('button', { name: '가입하기' }))
    expect(screen.getAllByRole('alert')).toHaveLength(11)
    expect(screen.getByText('사업자등록증 사본을 첨부해 주세요.')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })

  it("sends the member, and shows the server's error at its field", async () => {
    setAgreements(['age', 'service', 'privacy'])
    const bodies: unknown[] = []
    server.use(
      http.post('*/api/v1/users', async ({ request }) => {
        bodies.push(await request.json())
        return bodies.length === 1
          ? HttpResponse.json(
              {
                error: {
                  code: 'invalid',
                  message: 'm',
                  fields: [{ field: 'username', code: 'taken', message: '이미 사용 중인 아이디입니다.' }],
                },
              },
              { status: 422 },
            )
          : HttpResponse.json({})
      }),
    )
    const { router } = renderPage(<Form />, '/join/form')
    await typePerson()
    await fill({ 생일: '12. 31.' })
    await userEvent.click(screen.getByRole('button', { name: '가입하기' }))
    expect(await screen.findByText('이미 사용 중인 아이디입니다.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '가입하기' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/join/done'))
    expect(bodies[0]).toMatchObject({
      username: 'hong123',
      phone: '01012345678',
      type: 'PERSON',
      _terms: ['age', 'service', 'privacy'],
    })
    expect(bodies[0]).not.toHaveProperty('password2')
    expect(bodies[0]).toMatchObject({ birthday: '12-31' })
    expect(bodies[0]).not.toHaveProperty('foundedAt')
    expect(bodies[0]).not.toHaveProperty('companyName')
    expect(router.state.location.state).toEqual(JOINED)
  })
})

describe('the last step', () => {
  it('welcomes only visitors who have just joined', async () => {
    const { router } = renderPage(<Done />, '/join/done')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('회원가입')
    expect(within(screen.getByRole('main')).getByRole('link', { name: '회원가입' }).getAttribute('href')).toBe('/join')
    expect(await a11yViolations()).toEqual([])
    await act(() => router.navigate('/join/done', { state: JOINED }))
    expect(await screen.findByRole('heading', { level: 1, name: '환영합니다' })).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })
})

describe("a company's registration copy", () => {
  const PDF = new File(['%PDF-1.7 words'], '등록증.pdf', { type: 'application/pdf' })
  const copy = () => screen.getByLabelText<HTMLInputElement>(/^사업자등록증 사본/)
  const saysOfCopy = (words: string) =>
    waitFor(() =>
      expect(document.getElementById(copy().getAttribute('aria-describedby') ?? '')?.textContent).toBe(words),
    )
  let joined: { token: unknown; key: string | null }[]
  let handedIn: number

  beforeEach(() => {
    joined = []
    handedIn = 0
    setAgreements(['age', 'service', 'privacy'])
    server.use(
      http.post('*/api/v1/users/documents', () => {
        handedIn += 1
        return HttpResponse.json({ document: { token: `token ${handedIn}` } }, { status: 201 })
      }),
    )
  })
  /** The server's responses to sign-ups, in order. */
  const answers = (...all: (() => Response)[]) =>
    server.use(
      http.post('*/api/v1/users', async ({ request }) => {
        const { registrationToken } = (await request.json()) as Record<string, unknown>
        joined.push({ token: registrationToken, key: request.headers.get('Idempotency-Key') })
        return all[joined.length - 1]?.()
      }),
    )
  const done = () => HttpResponse.json({ user: { _id: 'u' } }, { status: 201 })
  const tooOld = () => refusal(400, 'invalid', '사업자등록증 사본을 다시 첨부해 주세요.', 'registrationToken')

  const open = async () => {
    const { router } = renderPage(<Form />, '/join/form?type=COMPANY')
    await typePerson()
    await fill({
      상호: '바람상회',
      대표자: '김대표',
      사업자등록번호: '123-45-67890',
      '통신판매업 신고번호': '2026-서울-1',
    })
    await userEvent.upload(copy(), PDF)
    return router
  }

  it('is shown when chosen, and can be removed', async () => {
    renderPage(<Form />, '/join/form?type=COMPANY')
    await userEvent.upload(copy(), PDF)
    expect(screen.getByText('등록증.pdf')).toBeTruthy()
    expect(screen.getByText('14B')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '등록증.pdf 삭제' }))
    expect(screen.queryByText('등록증.pdf')).toBeNull()
    expect(copy().value).toBe('')
    expect(document.activeElement).toBe(copy())
  })

  it('is checked before it is sent', async () => {
    renderPage(<Form />, '/join/form?type=COMPANY')
    const large = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'a.png', { type: 'image/png' })
    await userEvent.upload(copy(), large)
    await saysOfCopy('사업자등록증 사본은 5MB까지 올릴 수 있습니다.')
    const words = new File(['x'], 'a.docx', { type: 'application/msword' })
    await userEvent.upload(copy(), words, { applyAccept: false })
    await saysOfCopy('JPG, PNG, GIF, WebP 사진이나 PDF만 올릴 수 있습니다.')
    await send()
    await saysOfCopy('JPG, PNG, GIF, WebP 사진이나 PDF만 올릴 수 있습니다.')
    await userEvent.upload(copy(), PDF)
    await saysOfCopy('JPG, PNG, GIF, WebP 사진이나 PDF, 5MB까지')
    expect(handedIn).toBe(0)
  })

  it('shows at its field why it was refused', async () => {
    await open()
    answers()
    const refusals: [Response, string][] = [
      [refusal(429, 'too_many_requests', '요청이 너무 많습니다.'), '요청이 너무 많습니다.'],
      [refusal(429, 'quota', '지금은 파일을 받을 수 없습니다.', 'file'), '지금은 파일을 받을 수 없습니다.'],
      [refusal(413, 'too_large', '5MB까지입니다.', 'file'), '5MB까지입니다.'],
      [refusal(415, 'unsupported_media_type', 'PDF만 됩니다.', 'file'), 'PDF만 됩니다.'],
      [HttpResponse.error(), '서버에 연결하지 못했습니다. 인터넷 연결을 확인해 주세요.'],
    ]
    for (const [answer, words] of refusals) {
      server.use(http.post('*/api/v1/users/documents', () => answer))
      await send()
      await saysOfCopy(words)
      expect(screen.getAllByRole('alert')).toHaveLength(1)
      expect(document.activeElement).toBe(copy())
    }
    expect(joined).toEqual([])
  })

  it('is uploaded once, however often the form is sent, and the same form reuses its idempotency key', async () => {
    const router = await open()
    answers(
      () => refusal(409, 'username_taken', '이미 사용 중인 아이디입니다.'),
      () => HttpResponse.error(),
      done,
    )
    await send()
    const username = screen.getByLabelText(/^아이디/)
    await waitFor(() => expect(document.activeElement).toBe(username))
    expect(screen.getByText('이미 사용 중인 아이디입니다.').id).toBe(username.getAttribute('aria-describedby'))
    await userEvent.tab()
    expect(screen.getByText('이미 사용 중인 아이디입니다.')).toBeTruthy()
    await userEvent.type(username, '4')
    expect(screen.queryByText('이미 사용 중인 아이디입니다.')).toBeNull()
    await send()
    await screen.findByText(/서버에 연결하지 못했습니다/)
    await send()
    await waitFor(() => expect(router.state.location.pathname).toBe('/join/done'))
    expect(handedIn).toBe(1)
    expect(joined.map(({ token }) => token)).toEqual(['token 1', 'token 1', 'token 1'])
    const [first, second, third] = joined.map(({ key }) => key)
    expect(second).not.toBe(first)
    expect(third).toBe(second)
  })

  it('is uploaded again automatically when its token has expired', async () => {
    const router = await open()
    answers(() => refusal(409, 'nickname_taken', '이미 사용 중인 닉네임입니다.'), tooOld, done)
    await send()
    await screen.findByText('이미 사용 중인 닉네임입니다.')
    await send()
    await waitFor(() => expect(router.state.location.pathname).toBe('/join/done'))
    expect(joined.map(({ token }) => token)).toEqual(['token 1', 'token 1', 'token 2'])
  })

  it('is requested at its field when the server refuses a token it has just issued', async () => {
    await open()
    answers(tooOld)
    await send()
    await saysOfCopy('사업자등록증 사본을 다시 첨부해 주세요.')
    expect([handedIn, joined.length]).toEqual([1, 1])
  })
})

it("shows the server's errors for fields that are not in the form", async () => {
  setAgreements(['age', 'service', 'privacy'])
  renderPage(<Form />, '/join/form')
  server.use(http.post('*/api/v1/users', () => refusal(400, 'invalid', '약관에 동의해 주세요.', '_terms')))
  await typePerson()
  await send()
  expect(await screen.findByText('약관에 동의해 주세요.')).toBeTruthy()
})
