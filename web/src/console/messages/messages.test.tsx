// Messages: what became of each, what it is about, and sending one again.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { components } from '../../api/schema.gen'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import { Component as Page } from './index'

type Message = components['schemas']['MessageView']

withServer()
beforeEach(() =>
  beginSession({
    accessToken: 'a',
    refreshToken: 'r',
    payload: { _user: 'staff', userType: 'OPERATOR', scope: ['console'] },
  }),
)

const bounced: Message = {
  _id: 'm1',
  channel: 'MAIL',
  template: 'ORDER_PLACED',
  title: '주문 완료',
  state: 'BOUNCED',
  cause: { kind: 'order', _id: 'o1', orderNo: '20261121-7KD2M9QX' },
  attempts: 1,
  reason: 'ADDRESS',
  code: 550,
  stopsAddress: true,
  createdAt: '2026-11-21T03:00:00Z',
  changedAt: '2026-11-21T03:00:01Z',
  resendable: true,
}
const sent: Message = {
  ...bounced,
  _id: 'm2',
  state: 'SENT',
  reason: null,
  code: null,
  resendable: false,
  stopsAddress: false,
  text: { _template: 'p1', version: 3 },
}

it('shows state, cause and error, and sends again what can be', async () => {
  const asked: string[] = []
  server.use(
    http.get('*/api/console/messages', ({ request }) => {
      const state = new URL(request.url).searchParams.get('state')
      const messages = state ? [] : [bounced, sent]
      return HttpResponse.json({ summary: { totalCount: messages.length }, messages })
    }),
    http.post('*/api/console/messages/:id/resend', ({ params }) => {
      asked.push(String(params['id']))
      return HttpResponse.json({ message: { ...bounced, state: 'REQUESTED', resendable: false } })
    }),
  )
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    '/console/messages',
  )
  const table = await screen.findByRole('table', { name: '발송 메시지' })
  expect(await within(table).findByText('반송됨')).toBeTruthy()
  expect(within(table).getByText(/없거나 받지 않는 주소입니다/).textContent).toContain('(550)')
  const [about] = within(table).getAllByRole('link', { name: '주문 20261121-7KD2M9QX' })
  expect(about?.getAttribute('href')).toBe('/console/shop/orders/o1')
  expect(within(table).getAllByRole('button')).toHaveLength(2)
  expect(within(table).getByRole('link', { name: '템플릿 3판' }).getAttribute('href')).toBe(
    '/console/message-templates?id=p1',
  )
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(within(table).getByRole('button', { name: '주문 완료 다시 보내기' }))
  expect(await screen.findByText('다시 보내도록 요청했습니다.')).toBeTruthy()
  expect(asked).toEqual(['m1'])
  await userEvent.click(screen.getByRole('radio', { name: '발송됨' }))
  expect(await screen.findByText('이 조건의 메시지가 없습니다')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '발송됨' }).checked).toBe(true)
})

it('shows what became of a text once it was sent', async () => {
  const text: Message = { ...sent, channel: 'SMS', template: 'ORDER_PLACED_SMS', title: '주문 완료 문자' }
  const messages: Message[] = [
    { ...text, _id: 'm4', dueAt: '2026-11-21T03:01:00Z' },
    { ...text, _id: 'm5', state: 'DELIVERED' },
    { ...text, _id: 'm6', state: 'BOUNCED', reason: 'UNDELIVERED', code: 3040, resendable: true },
  ]
  server.use(
    http.get('*/api/console/messages', () => HttpResponse.json({ summary: { totalCount: messages.length }, messages })),
  )
  renderPage(<Page />, '/console/messages')
  const table = await screen.findByRole('table', { name: '발송 메시지' })
  expect(await within(table).findByText(/도착 결과 확인/)).toBeTruthy()
  expect(within(table).getByText('도착함')).toBeTruthy()
  expect(within(table).getByText(/휴대폰에 도착하지 않았습니다/).textContent).toContain('(3040)')
  expect(within(table).getAllByRole('button')).toHaveLength(1)
  expect(await a11yViolations()).toEqual([])
})

it('lifts the stop of an address with a reason', async () => {
  const asked: unknown[] = []
  server.use(
    http.get('*/api/console/messages', () => HttpResponse.json({ summary: { totalCount: 1 }, messages: [bounced] })),
    http.post('*/api/console/messages/:id/release', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ message: { ...bounced, stopsAddress: false } })
    }),
  )
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    '/console/messages',
  )
  const table = await screen.findByRole('table', { name: '발송 메시지' })
  expect(await within(table).findByText('이 주소나 번호로 보내는 발송을 모두 중단했습니다')).toBeTruthy()
  await userEvent.click(within(table).getByRole('button', { name: '주문 완료 주소의 발송 중단 해제' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: '중단 해제' }))
  expect(asked).toEqual([])
  await userEvent.type(within(dialog).getByRole('textbox'), '회원에게 확인')
  await userEvent.click(within(dialog).getByRole('button', { name: '중단 해제' }))
  expect(await screen.findByText('발송 중단을 해제했습니다.')).toBeTruthy()
  expect(asked).toEqual([{ memo: '회원에게 확인' }])
})

it('shows texts by their channel, and when the gateway is asked for one', async () => {
  const asked: (string | null)[] = []
  const text: Message = {
    ...sent,
    _id: 'm3',
    channel: 'SMS',
    template: 'ORDER_PLACED_SMS',
    title: '주문 완료 문자',
    state: 'UNCERTAIN',
    dueAt: '2026-11-21T03:03:00Z',
    resendable: true,
  }
  server.use(
    http.get('*/api/console/messages', ({ request }) => {
      const channel = new URL(request.url).searchParams.get('channel')
      asked.push(channel)
      const messages = channel === 'SMS' ? [text] : [bounced, text]
      return HttpResponse.json({ summary: { totalCount: messages.length }, messages })
    }),
  )
  renderPage(<Page />, '/console/messages')
  const table = await screen.findByRole('table', { name: '발송 메시지' })
  expect(await within(table).findByText('주문 완료 문자')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: '문자' }))
  await waitFor(() => expect(within(screen.getByRole('table')).queryByText('반송됨')).toBeNull())
  expect(within(screen.getByRole('table')).getByText(/문자 서비스에 확인/)).toBeTruthy()
  expect(asked).toEqual([null, 'SMS'])
  expect(await a11yViolations()).toEqual([])
})
