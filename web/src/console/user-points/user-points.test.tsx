// Members' points: what each grant came to, granting, taking back what is left, and another last day.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { seoulDay } from '../../lib/seoul-day'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import type { PointGrant } from '../benefits/types'
import { Component as Page } from './index'

withServer()

const grant = (more: Partial<PointGrant> = {}): PointGrant => ({
  _id: 'g1',
  _user: 'm1',
  username: 'shopper01',
  name: '하늘이',
  amounts: 10_00,
  amount_used: 3_00,
  amount_left: 7_00,
  remain: 9_00,
  flags: { expired: false, taken: false, earned: false, byStaff: true },
  reason: '불편을 드려 죄송합니다',
  createdAt: '2026-11-20T01:00:00Z',
  expiresAt: '2027-11-20T15:00:00Z',
  ...more,
})

let grants: PointGrant[]
let asked: Record<string, string>[]
let sent: { method: string; url: string; body: unknown; key: string | null }[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  grants = [
    grant(),
    grant({ _id: 'g2', name: '바람', amount_left: 0, amount_used: 10_00 }),
    grant({ _id: 'g3', name: '구름', flags: { expired: true, taken: false, earned: true, byStaff: false } }),
    grant({ _id: 'g4', name: '탈퇴한 회원', username: null, flags: { ...grant().flags, taken: true }, amount_left: 0 }),
  ]
  asked = []
  sent = []
  const took = async (request: Request, answer: PointGrant, status = 200) => {
    const { pathname, search } = new URL(request.url)
    const text = await request.text()
    sent.push({
      method: request.method,
      url: pathname.replace('/api/console/users/points', '') + search,
      body: text === '' ? undefined : JSON.parse(text),
      key: request.headers.get('Idempotency-Key'),
    })
    return HttpResponse.json({ point: answer }, { status })
  }
  server.use(
    http.get('*/api/console/users/points', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      const amount_left = grants.reduce((sum, row) => sum + row.amount_left, 0)
      return HttpResponse.json({ summary: { totalCount: grants.length, amount_left }, points: grants })
    }),
    http.get('*/api/console/users/points/:id', ({ params }) =>
      HttpResponse.json({ point: grants.find(({ _id }) => _id === params.id) }),
    ),
    http.post('*/api/console/users/points', ({ request }) => took(request, grant(), 201)),
    http.put('*/api/console/users/points/:id', ({ request }) => took(request, grant())),
    http.delete('*/api/console/users/points/:id', ({ request }) => took(request, grant())),
    http.get('*/api/console/users', () =>
      HttpResponse.json({
        summary: { totalCount: 1 },
        users: [{ _id: 'm1', name: '하늘이', userType: 'PERSON' }],
      }),
    ),
    http.get('*/api/console/users/:id', () =>
      HttpResponse.json({ user: { _id: 'm1', name: '하늘이', userType: 'PERSON' } }),
    ),
  )
})

const open = (at = '/console/user-points') =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

it('says what became of each grant, and offers what can be done with what is left', { timeout: 60_000 }, async () => {
  const { container } = open()
  const table = within(await screen.findByRole('table', { name: '회원 적립금' }))
  const rows = table.getAllByRole('row').slice(1)
  const states = rows.map((row) => within(row).getAllByText(/^(남아 있음|남지 않음|소멸|회수)$/)[0]?.textContent)
  expect(states).toEqual(['남아 있음', '남지 않음', '소멸', '회수'])
  expect(rows.map((row) => within(row).queryAllByRole('button').length)).toEqual([2, 0, 0, 0])
  expect(within(rows[3] as HTMLElement).getByText('탈퇴한 회원')).toBeTruthy()
  // It is good until the day before the moment it ends at.
  expect(within(rows[0] as HTMLElement).getByText('2027. 11. 20.')).toBeTruthy()
  expect(screen.getByText('남은 금액 합계').textContent).toBe('남은 금액 합계 $14.00')
  expect(await a11yViolations(container)).toEqual([])
})

it('is narrowed by state, and to one bulk grant, by its address', { timeout: 60_000 }, async () => {
  const { router } = open('/console/user-points?_grant=b1&createdAtFrom=2026-11-01')
  await userEvent.click(await screen.findByRole('radio', { name: '남아 있음' }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ _grant: 'b1', state: 'LEFT', from: '2026-11-01' }))
  await userEvent.click(screen.getByRole('button', { name: '모두 보기' }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ state: 'LEFT', from: '2026-11-01' }))
  expect(router.state.location.search).toBe('?createdAtFrom=2026-11-01&state=LEFT')
})

it('says what to do while there is none, and otherwise that nothing matches', { timeout: 60_000 }, async () => {
  grants = []
  const none = open()
  expect(await screen.findByText('아직 지급한 적립금이 없습니다.')).toBeTruthy()
  none.unmount()
  open('/console/user-points?state=LEFT')
  expect(await screen.findByText('조건에 맞는 내역이 없습니다.')).toBeTruthy()
})

it('grants points once it is said to whom, how much and why', { timeout: 60_000 }, async () => {
  open('/console/user-points?_user=m1')
  await screen.findByRole('table', { name: '회원 적립금' })
  await userEvent.click(screen.getByRole('button', { name: '적립금 지급' }))
  const form = await dialog('적립금 지급')
  await userEvent.click(form.getByRole('button', { name: '적립금 지급' }))
  expect(form.getByText('0보다 큰 금액을 입력해 주세요.')).toBeTruthy()
  expect(form.getByText('사유를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])

  await userEvent.type(form.getByLabelText(/^금액/), '12.5')
  await userEvent.type(form.getByLabelText(/^사유/), '생일 축하')
  fireEvent.change(form.getByLabelText(/^마지막 날/), { target: { value: seoulDay(-1) } })
  expect(form.getByText('오늘이나 그 뒤의 날을 골라 주세요.')).toBeTruthy()
  fireEvent.change(form.getByLabelText(/^마지막 날/), { target: { value: '2999-01-31' } })
  await userEvent.click(form.getByRole('button', { name: '적립금 지급' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    {
      method: 'POST',
      url: '',
      body: { _user: 'm1', amounts: 12_50, memo: '생일 축하', expiresAt: '2999-01-31' },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ])
})

it('takes back what is left, and can grant it again until the same day', { timeout: 60_000 }, async () => {
  open()
  await userEvent.click(
    await screen.findAllByRole('button', { name: '하늘이 회수' }).then(([button]) => button as HTMLElement),
  )
  const form = await dialog('남은 적립금 회수')
  expect(form.getByText(/남은 \$7\.00를 거둬들입니다/)).toBeTruthy()
  await userEvent.type(form.getByLabelText(/^사유/), '잘못 드렸습니다')
  await userEvent.click(form.getByRole('button', { name: '회수' }))
  fireEvent.click(await screen.findByRole('button', { name: '다시 지급' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[0]).toMatchObject({
    method: 'DELETE',
    url: `/g1?memo=${encodeURIComponent('잘못 드렸습니다').replaceAll('%20', '+')}`,
  })
  expect(sent[1]).toMatchObject({
    method: 'POST',
    body: { _user: 'm1', amounts: 7_00, expiresAt: '2027-11-20' },
  })
})

it('shows a refusal where it was asked, and reads the list again', { timeout: 60_000 }, async () => {
  const message = '이미 소멸한 적립금입니다.'
  server.use(
    http.put('*/api/console/users/points/:id', () =>
      HttpResponse.json({ error: { code: 'points_expired', message } }, { status: 409 }),
    ),
  )
  open()
  await userEvent.click(
    await screen.findAllByRole('button', { name: '하늘이 마지막 날 변경' }).then(([button]) => button as HTMLElement),
  )
  const form = await dialog('마지막 날 변경')
  expect(form.getByLabelText(/^마지막 날/)).toHaveProperty('value', '2027-11-20')
  await userEvent.type(form.getByLabelText(/^사유/), '조금 더')
  const before = asked.length
  await userEvent.click(form.getByRole('button', { name: '저장' }))
  expect(await form.findByText(message)).toBeTruthy()
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

it('leads from a grant to the ledger of the member, its order and its bulk grant', { timeout: 60_000 }, async () => {
  grants = [grant({ _order: 'o1', orderNo: '20261120-AAAA', _grant: 'b1' })]
  const { container } = open('/console/user-points?id=g1')
  const href = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href')
  expect(await href(/장부에서 모든 기록/)).toBe('/console/ledgers/points/m1')
  expect(await href(/20261120-AAAA/)).toBe('/console/shop/orders/o1')
  expect(await href(/일괄 지급 보기/)).toBe('/console/shop/points?id=b1')
  expect(screen.getByText('회원이 지금 쓸 수 있는 적립금').nextSibling?.textContent).toBe('$9.00')
  expect(await a11yViolations(container)).toEqual([])
})
