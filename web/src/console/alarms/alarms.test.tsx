// Alarms: the list with its filters, taking one back, and sending to a target: counted first, sent then, stopped.
import { screen, within } from '@testing-library/react'
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

type Alarm = components['schemas']['MemberAlarm']
type Sending = components['schemas']['SendingView']

withServer()
beforeEach(() =>
  beginSession({
    accessToken: 'a',
    refreshToken: 'r',
    payload: { _user: 'staff', userType: 'OPERATOR', scope: ['console'] },
  }),
)

const alarm: Alarm = {
  _id: 'a1',
  _user: 'u1',
  username: 'hong1234',
  nickname: '홍길동',
  category: 'ORDER',
  name: '주문',
  type: 'ORDER_PAID',
  title: '결제가 완료되었습니다',
  content: '주문 20261121',
  url: '/mypage/orders',
  shows: true,
  state: 'UNREAD',
  cause: { kind: 'order', _id: 'o1' },
  createdAt: '2026-11-21T03:00:00Z',
}
const deleted: Alarm = { ...alarm, _id: 'a2', title: '', content: '', state: 'DELETED', shows: false }
const sending: Sending = {
  _id: 's1',
  channel: 'ALARM',
  advertising: true,
  title: '봄 세일',
  markedTitle: '(광고) 봄 세일',
  content: '사흘 동안',
  url: '',
  target: 'ALL',
  state: 'SENDING',
  members: 12,
  served: 5,
  skipped: 2,
  perMinute: 60,
  dueAt: '2026-11-21T03:00:05Z',
  createdAt: '2026-11-21T03:00:00Z',
  createdBy: { _id: 'staff', name: '운영자' },
}

const page = (at = '/console/alarms') =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )

it('lists alarms with receiver, state and cause, filters them and takes one back', async () => {
  const asked: URLSearchParams[] = []
  const taken: string[] = []
  server.use(
    http.get('*/api/console/users/alarms', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ summary: { totalCount: 2 }, alarms: [alarm, deleted] })
    }),
    http.delete('*/api/console/users/alarms/:id', ({ request, params }) => {
      taken.push(`${params['id']} ${new URL(request.url).searchParams.get('memo')}`)
      return HttpResponse.json({ alarm: { ...alarm, state: 'WITHDRAWN' } })
    }),
  )
  page()
  const table = await screen.findByRole('table', { name: '회원별 알림' })
  expect(await within(table).findByText('(회원이 지운 알림)')).toBeTruthy()
  expect(within(table).getAllByRole('link', { name: '주문' })[0]?.getAttribute('href')).toBe('/console/shop/orders/o1')
  expect(within(table).getAllByRole('link', { name: '홍길동' })[0]?.getAttribute('href')).toBe(
    '/console/ledgers/member/u1',
  )
  expect(within(table).getAllByRole('button')).toHaveLength(1)
  expect(await a11yViolations()).toEqual([])
  await userEvent.type(screen.getByLabelText('아이디'), 'hong1234')
  await userEvent.click(screen.getByRole('button', { name: '찾기' }))
  await userEvent.selectOptions(screen.getByLabelText('상태'), 'UNREAD')
  await within(await screen.findByRole('table', { name: '회원별 알림' })).findByText('(회원이 지운 알림)')
  const last = asked.at(-1)
  expect([last?.get('username'), last?.get('state')]).toEqual(['hong1234', 'UNREAD'])
  await userEvent.click(within(screen.getByRole('table')).getByRole('button', { name: '결제가 완료되었습니다 회수' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: '회수' }))
  expect(within(dialog).getByText('사유를 입력해 주세요.')).toBeTruthy()
  await userEvent.type(within(dialog).getByRole('textbox'), '잘못 보냈습니다')
  await userEvent.click(within(dialog).getByRole('button', { name: '회수' }))
  expect(await screen.findByText('알림을 회수했습니다.')).toBeTruthy()
  expect(taken).toEqual(['a1 잘못 보냈습니다'])
})

it('counts the receivers before it sends, and sends what was counted', async () => {
  const bodies: { dry: boolean; body: unknown }[] = []
  server.use(
    http.get('*/api/console/shop/alarms', () => HttpResponse.json({ summary: { totalCount: 1 }, sendings: [sending] })),
    http.post('*/api/console/shop/alarms', async ({ request }) => {
      const dry = new URL(request.url).searchParams.get('dryRun') === 'true'
      bodies.push({ dry, body: await request.json() })
      return dry
        ? HttpResponse.json({
            preview: {
              members: 12,
              receiving: 7,
              skipped: [{ reason: 'NO_CONSENT', count: 5 }],
              title: '(광고) 봄 세일',
              content: '사흘 동안',
              beginsAt: '2026-11-22T08:00:00+09:00',
            },
          })
        : HttpResponse.json({ sending }, { status: 201 })
    }),
  )
  page('/console/alarms?tab=sendings')
  await screen.findByRole('table', { name: '알림 발송' })
  await userEvent.click(screen.getByRole('button', { name: '알림 보내기' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByLabelText(/^제목/), '봄 세일')
  await userEvent.type(within(dialog).getByLabelText(/^내용/), '<b>')
  await userEvent.click(within(dialog).getByRole('checkbox', { name: '광고입니다' }))
  await userEvent.click(within(dialog).getByRole('button', { name: '받을 회원 세기' }))
  expect(within(dialog).getByText(/내용을 두 글자 이상/)).toBeTruthy()
  expect(bodies).toEqual([])
  await userEvent.clear(within(dialog).getByLabelText(/^내용/))
  await userEvent.type(within(dialog).getByLabelText(/^내용/), '사흘 동안')
  await userEvent.click(within(dialog).getByRole('button', { name: '받을 회원 세기' }))
  expect(await within(dialog).findByText('대상 12명 가운데 7명이 받습니다.')).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: '7명에게 보내기' }))
  expect(await screen.findByText('발송을 등록했습니다.')).toBeTruthy()
  const body = {
    all: true,
    channel: 'ALARM',
    advertising: true,
    title: '봄 세일',
    content: '사흘 동안',
    url: '',
    perMinute: 600,
  }
  expect(bodies).toEqual([
    { dry: true, body },
    { dry: false, body },
  ])
})

it('shows how far a sending is and stops it', async () => {
  const stopped: string[] = []
  server.use(
    http.get('*/api/console/shop/alarms', () => HttpResponse.json({ summary: { totalCount: 1 }, sendings: [sending] })),
    http.post('*/api/console/shop/alarms/:id/stop', ({ request, params }) => {
      stopped.push(`${params['id']} ${new URL(request.url).searchParams.get('memo')}`)
      return HttpResponse.json({ sending: { ...sending, state: 'STOPPED', dueAt: null } })
    }),
  )
  page('/console/alarms?tab=sendings')
  const table = await screen.findByRole('table', { name: '알림 발송' })
  expect(await within(table).findByText('발송 중')).toBeTruthy()
  expect(within(table).getByText(/5 \/ 12명 · 제외 2명/)).toBeTruthy()
  expect(within(table).getByText('모든 회원')).toBeTruthy()
  await userEvent.click(within(table).getByRole('button', { name: '봄 세일 중단' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByRole('textbox'), '틀렸습니다')
  await userEvent.click(within(dialog).getByRole('button', { name: '중단' }))
  expect(await screen.findByText('발송을 중단했습니다.')).toBeTruthy()
  expect(stopped).toEqual(['s1 틀렸습니다'])
})
