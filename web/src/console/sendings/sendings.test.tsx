// A sending by text: counted, previewed as phones get it and sent; its page with outcomes and skipped receivers.
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
import { Component as Page } from '../messages/index'

withServer()
beforeEach(() =>
  beginSession({
    accessToken: 'a',
    refreshToken: 'r',
    payload: { _user: 'staff', userType: 'OPERATOR', scope: ['console'] },
  }),
)

const sending: components['schemas']['SendingView'] = {
  _id: 's1',
  channel: 'SMS',
  advertising: true,
  title: '봄 세일',
  markedTitle: '(광고) 봄 세일',
  content: '오늘부터 할인합니다.',
  url: '/sub/event',
  target: 'TYPE:PERSON',
  state: 'DONE',
  members: 3,
  served: 3,
  skipped: 2,
  perMinute: 600,
  createdAt: '2026-11-27T03:00:00Z',
}

it('counts a text, shows it as phones get it, and sends it', async () => {
  const asked: unknown[] = []
  server.use(
    http.get('*/api/console/messages', () => HttpResponse.json({ summary: { totalCount: 0 }, messages: [] })),
    http.post('*/api/console/shop/alarms', async ({ request }) => {
      asked.push(await request.json())
      if (!request.url.includes('dryRun')) return HttpResponse.json({ sending }, { status: 201 })
      return HttpResponse.json({
        preview: {
          members: 12_000,
          receiving: 9_000,
          skipped: [
            { reason: 'NO_CONSENT', count: 2_999 },
            { reason: 'ADDRESS_STOPPED', count: 1 },
          ],
          title: '(광고) 봄 세일',
          content: '(광고)[장부상회] 봄 세일\n무료수신거부 080-123-4567',
          bytes: 104,
          beginsAt: '2026-11-27T03:00:00Z',
        },
      })
    }),
  )
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    '/console/messages',
  )
  await userEvent.click(await screen.findByRole('button', { name: '문자 보내기' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('checkbox', { name: '광고입니다' }))
  await userEvent.type(within(dialog).getByRole('textbox', { name: /^제목/ }), '봄 세일')
  await userEvent.type(within(dialog).getByRole('textbox', { name: /^내용/ }), '오늘부터 할인합니다.')
  await userEvent.click(within(dialog).getByRole('button', { name: '받을 회원 세기' }))
  expect(await within(dialog).findByText('대상 12,000명 가운데 9,000명이 받습니다.')).toBeTruthy()
  const skipped = within(dialog).getByRole('list', { name: '받지 않는 회원' })
  expect(
    within(skipped)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['수신 동의 없음 2,999명', '반송되어 중지된 주소 1명'])
  expect(within(dialog).getByText(/무료수신거부 080-123-4567/)).toBeTruthy()
  expect(within(dialog).getByText('104바이트 · LMS')).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: '9,000명에게 보내기' }))
  expect(await screen.findByText('발송을 등록했습니다.')).toBeTruthy()
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject({ channel: 'SMS', advertising: true, all: true })
})

it('shows the outcomes of a sending, and the skipped receivers with reasons', async () => {
  const asked: (string | null)[] = []
  const skipped: components['schemas']['SkippedView'][] = [
    { member: { _id: 'm1', name: '홍길동' }, reason: 'NO_CONSENT', at: '2026-11-27T03:00:01Z' },
    { member: { _id: 'm2', name: '탈퇴한 회원' }, reason: 'NO_MOBILE', at: '2026-11-27T03:00:01Z' },
  ]
  server.use(
    http.get('*/api/console/shop/alarms', () => HttpResponse.json({ summary: { totalCount: 1 }, sendings: [sending] })),
    http.get('*/api/console/shop/alarms/s1', () =>
      HttpResponse.json({
        sending,
        skipped: [
          { reason: 'NO_CONSENT', count: 1 },
          { reason: 'NO_MOBILE', count: 1 },
        ],
        messages: [{ state: 'DELIVERED', count: 1 }],
      }),
    ),
    http.get('*/api/console/shop/alarms/s1/skipped', ({ request }) => {
      const reason = new URL(request.url).searchParams.get('reason')
      asked.push(reason)
      const rows = skipped.filter((row) => !reason || row.reason === reason)
      return HttpResponse.json({ summary: { totalCount: rows.length }, skipped: rows })
    }),
  )
  renderPage(<Page />, '/console/messages?tab=texts')
  const list = await screen.findByRole('table', { name: '문자 발송' })
  await userEvent.click(await within(list).findByRole('button', { name: '(광고) 봄 세일' }))
  const table = await screen.findByRole('table', { name: '받지 않은 회원' })
  expect(within(table).getByRole('link', { name: '홍길동' })).toBeTruthy()
  expect(within(table).getByText('휴대폰 번호 없음')).toBeTruthy()
  expect(screen.getByText('도착함').nextSibling?.textContent).toBe('1명')
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('radio', { name: '수신 동의 없음 1명' }))
  expect(await screen.findByRole('table', { name: '받지 않은 회원' })).toBeTruthy()
  expect(asked).toEqual([null, 'NO_CONSENT'])
  await userEvent.click(screen.getByRole('button', { name: '목록으로' }))
  expect(await screen.findByRole('table', { name: '문자 발송' })).toBeTruthy()
})
