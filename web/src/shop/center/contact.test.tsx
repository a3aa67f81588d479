// Writing to the shop: what is missing is named, what is sent is what was typed, and where the answer goes is said.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import { guestPass } from '../../features/center/guestPass'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Contact } from './contact'

withServer()

const isOff = http.get('*/api/plugins/recaptcha', () =>
  HttpResponse.json({ enabled: false, siteKey: '', scriptUrl: '' }),
)

const REACHED = '답변을 받을 이메일이나 휴대폰 번호를 입력해 주세요.'

it('needs a way to answer and the consent, and sends what was typed', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  server.use(
    isOff,
    http.post('*/api/v1/center/contacts', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ _id: 'c1' }, { status: 201 })
    }),
  )
  const { container } = renderPage(<Contact />, '/about/contact')
  await user.selectOptions(screen.getByLabelText(/^분류/), '입점')
  await user.type(screen.getByLabelText(/^이름/), '김입점')
  await user.type(screen.getByLabelText(/^제목/), '입점 문의')
  await user.type(screen.getByLabelText(/^문의 내용/), '입점하고 싶습니다.')
  const send = screen.getByRole('button', { name: '문의 보내기' })
  await user.click(send)
  await screen.findByText(REACHED)
  screen.getByText('개인정보 수집·이용에 동의해 주세요.')
  expect(await a11yViolations(container)).toEqual([])
  expect(sent).toEqual([])

  await user.type(screen.getByLabelText(/^이메일/), ' kim@example.com')
  await user.click(screen.getByRole('checkbox', { name: /동의합니다/ }))
  await user.click(send)
  await screen.findByText(/답변은 kim@example.com 주소로 보내 드립니다/)
  expect(sent).toEqual([
    {
      category: 'SELLING',
      name: '김입점',
      company: '',
      email: 'kim@example.com',
      phone: '',
      subject: '입점 문의',
      content: '입점하고 싶습니다.',
      agreed: true,
      recaptcha: '',
    },
  ])
})

it('gets a pass for what the widget says, where the shop checks', async () => {
  const asked: unknown[] = []
  server.use(
    http.get('*/api/plugins/recaptcha', () =>
      HttpResponse.json({ enabled: true, siteKey: 'key', scriptUrl: 'http://widget/api.js' }),
    ),
    http.post('*/api/plugins/recaptcha', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ pass: 'a pass' })
    }),
  )
  window.grecaptcha = {
    ready: (then) => then(),
    execute: (siteKey, { action }) => Promise.resolve(`${siteKey} ${action}`),
  }
  expect(await guestPass('contact')).toBe('a pass')
  // A widget that fails leaves the decision to the server.
  window.grecaptcha = { ready: (then) => then(), execute: () => Promise.reject(new Error('blocked')) }
  await guestPass('contact')
  expect(asked).toEqual([{ response: 'key contact' }, { response: '' }])
  window.grecaptcha = undefined
})

it('does not wait forever for a widget that never gets ready', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked: unknown[] = []
  server.use(
    http.get('*/api/plugins/recaptcha', () =>
      HttpResponse.json({ enabled: true, siteKey: 'key', scriptUrl: 'http://widget/api.js' }),
    ),
    http.post('*/api/plugins/recaptcha', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ pass: 'a pass' })
    }),
  )
  const pass = guestPass('contact')
  const script = await vi.waitUntil(() => document.head.querySelector<HTMLScriptElement>('script[src*="widget"]'))
  window.grecaptcha = { ready: () => undefined, execute: () => Promise.resolve('never') }
  script.onload?.(new Event('load'))
  vi.advanceTimersByTime(8000)
  vi.useRealTimers()
  expect(await pass).toBe('a pass')
  expect(asked).toEqual([{ response: '' }])
  window.grecaptcha = undefined
})

it('shows what the server refuses at its field', async () => {
  const user = userEvent.setup()
  const error = { field: 'email', code: 'email', message: '이메일을 올바른 형식으로 입력해 주세요.' }
  server.use(
    isOff,
    http.post('*/api/v1/center/contacts', () =>
      HttpResponse.json(
        { error: { code: 'invalid', message: '입력값을 확인해 주세요.', fields: [error] } },
        { status: 400 },
      ),
    ),
  )
  renderPage(<Contact />, '/about/contact')
  await user.selectOptions(screen.getByLabelText(/^분류/), '기타')
  await user.type(screen.getByLabelText(/^이름/), '김기타')
  await user.type(screen.getByLabelText(/^이메일/), 'kim@example.c')
  await user.type(screen.getByLabelText(/^제목/), '문의')
  await user.type(screen.getByLabelText(/^문의 내용/), '문의합니다.')
  await user.click(screen.getByRole('checkbox', { name: /동의합니다/ }))
  await user.click(screen.getByRole('button', { name: '문의 보내기' }))
  expect((await screen.findAllByText(error.message)).length).toBeGreaterThan(0)
})
