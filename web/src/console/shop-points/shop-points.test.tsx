// Bulk grants: counted before they are sent, unknown members named, progress and stop; and what is owed as of a day.
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
import type { BulkGrant, CouponGrant } from '../benefits/types'
import { Component as Page } from './index'

withServer()

const grant = (more: Partial<BulkGrant> = {}): BulkGrant => ({
  _id: 'b1',
  memo: '추석 선물',
  note: '',
  members: 100,
  given: 40,
  leftOut: 0,
  amounts: 5_00,
  amount_total: 500_00,
  amount_used: 20_00,
  amount_left: 180_00,
  remain: 180_00,
  flags: { done: false, stopped: false },
  createdAt: '2026-11-20T01:00:00Z',
  createdBy: { _id: 'u', name: '운영자1' },
  expiresAt: '2027-11-20T15:00:00Z',
  ...more,
})

type Sent = { method: string; url: string; body?: Record<string, unknown>; key: string | null }
let grants: BulkGrant[]
let sent: Sent[]

const take = async (request: Request): Promise<Sent> => {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  const one = {
    method: request.method,
    url: pathname.replace('/api/console/shop/points', '') + search,
    body: text === '' ? undefined : JSON.parse(text),
    key: request.headers.get('Idempotency-Key'),
  }
  sent.push(one)
  return one
}

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  grants = [grant()]
  sent = []
  server.use(
    http.get('*/api/console/shop/points', () =>
      HttpResponse.json({ summary: { totalCount: grants.length }, points: grants }),
    ),
    http.get('*/api/console/shop/points/:id', () => HttpResponse.json({ point: grants[0] })),
    http.post('*/api/console/shop/points', async ({ request }) => {
      const { url, body = {} } = await take(request)
      const usernames = (body.usernames ?? []) as string[]
      const unknown = usernames.flatMap((value, index) => (value.startsWith('no') ? [{ index, value }] : []))
      if (unknown.length > 0) {
        const error = { code: 'unknown_members', message: '찾을 수 없는 회원이 있습니다.', details: { unknown } }
        return HttpResponse.json({ error }, { status: 400 })
      }
      const members = usernames.length || 1234
      const amounts = Number(body.amounts)
      return url.includes('dryRun=true')
        ? HttpResponse.json({ preview: { members, amounts, amount_total: members * amounts } })
        : HttpResponse.json({ point: grant({ members }) }, { status: 201 })
    }),
    http.put('*/api/console/shop/points/:id', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ point: grant() })
    }),
    http.delete('*/api/console/shop/points/:id', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ point: grant() })
    }),
    http.get('*/api/console/levels', () =>
      HttpResponse.json({
        summary: { totalCount: 2 },
        levels: [
          { _id: 'l1', code: 'silver', name: '실버' },
          { _id: 'l2', code: 'gold', name: '골드' },
        ],
      }),
    ),
  )
})

const open = (at = '/console/shop/points') =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )

async function fillIn() {
  await userEvent.click(await screen.findByRole('button', { name: '일괄 지급' }))
  const form = within(await screen.findByRole('dialog', { name: '일괄 지급' }))
  await userEvent.type(form.getByLabelText(/^한 명에게 줄 금액/), '1')
  await userEvent.type(form.getByLabelText(/^사유/), '감사합니다')
  return form
}

it('counts who receives it before anything is sent, and again when something changes', {
  timeout: 60_000,
}, async () => {
  open()
  const form = await fillIn()
  await userEvent.click(form.getByRole('button', { name: '받을 회원 확인' }))
  expect(form.getByText('등급을 하나 이상 골라 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.click(form.getByRole('checkbox', { name: '골드' }))
  await userEvent.click(form.getByRole('button', { name: '받을 회원 확인' }))
  expect(await form.findByText('1,234명에게 $1.00씩, 모두 $1,234.00를 지급합니다.')).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
  await userEvent.clear(form.getByLabelText(/^한 명에게 줄 금액/))
  await userEvent.type(form.getByLabelText(/^한 명에게 줄 금액/), '10')
  // Another amount was not counted yet.
  expect(form.queryByText(/1,234명에게/)).toBeNull()
  await userEvent.click(form.getByRole('button', { name: '받을 회원 확인' }))
  await userEvent.click(await form.findByRole('button', { name: '1,234명에게 지급' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const body = { levels: ['gold'], amounts: 10_00, memo: '감사합니다' }
  expect(sent.map(({ url, body }) => [url, body])).toEqual([
    ['?dryRun=true', { ...body, amounts: 1_00 }],
    ['?dryRun=true', body],
    ['', body],
  ])
})

it('names the members that are not known, and drops them on a word', { timeout: 60_000 }, async () => {
  open()
  const form = await fillIn()
  await userEvent.click(form.getByRole('radio', { name: '아이디 목록' }))
  await userEvent.click(form.getByLabelText(/^아이디$/))
  await userEvent.paste('hong123\tnobody1\nkim4567, hong123\n')
  expect(form.getByText('3명 · 두 번 적힌 1개는 한 번만 셉니다.')).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: '받을 회원 확인' }))
  expect(await form.findByText('2번째 nobody1')).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: '찾을 수 없는 아이디 빼기' }))
  expect(form.queryByText('2번째 nobody1')).toBeNull()
  await userEvent.click(form.getByRole('button', { name: '받을 회원 확인' }))
  expect(await form.findByText(/^2명에게 \$1\.00씩/)).toBeTruthy()
  expect(sent.at(-1)?.body?.usernames).toEqual(['hong123', 'kim4567'])
})

it('shows how far a grant is, and stops it for a reason', { timeout: 60_000 }, async () => {
  const { container } = open('/console/shop/points?id=b1')
  expect(await screen.findByText('100명 중 40명 지급')).toBeTruthy()
  expect(screen.getByRole('meter').getAttribute('aria-valuenow')).toBe('40')
  expect(screen.getByRole('link', { name: /받은 회원/ }).getAttribute('href')).toBe('/console/user-points?_grant=b1')
  expect(await a11yViolations(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '지급 중단' }))
  const form = within(await screen.findByRole('dialog', { name: '일괄 지급을 멈출까요?' }))
  await userEvent.click(form.getByRole('button', { name: '지급 중단' }))
  expect(sent).toEqual([])
  await userEvent.type(form.getByLabelText(/^사유/), 'stop')
  await userEvent.click(form.getByRole('button', { name: '지급 중단' }))
  await waitFor(() => expect(sent.map(({ method, url }) => [method, url])).toEqual([['DELETE', '/b1?memo=stop']]))
})

const couponGrant = (more: Partial<CouponGrant> = {}): CouponGrant => ({
  _id: 'g1',
  _coupon: 'c1',
  couponName: '개점 100일',
  memo: '개점 감사',
  note: '',
  members: 100,
  given: 95,
  leftOut: 1,
  refused: 4,
  issued: 95,
  used: 10,
  taken: 0,
  discount: 30_00,
  flags: { done: true, stopped: false },
  createdAt: '2026-11-20T01:00:00Z',
  createdBy: { _id: 'u', name: '운영자1' },
  ...more,
})

const withCoupons = () => {
  const row = { _id: 'c1', name: '개점 100일' }
  server.use(
    http.get('*/api/console/shop/coupons/grants', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, grants: [couponGrant()] }),
    ),
    http.get('*/api/console/shop/coupons/grants/:id', () => HttpResponse.json({ grant: couponGrant() })),
    http.get('*/api/console/bulk-grants/:id/refused', () =>
      HttpResponse.json({
        summary: { totalCount: 2 },
        refused: [
          { _user: 'm1', username: null, name: '탈퇴한 회원', reason: 'ACCOUNT_CLOSED' },
          { _user: 'm2', username: 'kim4567', name: '하늘이', reason: 'COUPON_USED_UP' },
        ],
      }),
    ),
    http.get('*/api/console/shop/coupons', () => HttpResponse.json({ summary: { totalCount: 1 }, coupons: [row] })),
    http.get('*/api/console/shop/coupons/c1', () => HttpResponse.json({ coupon: row })),
    http.post('*/api/console/shop/coupons/grants', async ({ request }) => {
      const { url } = await take(request)
      const preview = { members: 100, couponName: '개점 100일', count: 2, membersLeft: 95, amount_most: 950_00 }
      return url.includes('dryRun=true')
        ? HttpResponse.json({ preview })
        : HttpResponse.json({ grant: couponGrant() }, { status: 201 })
    }),
    http.delete('*/api/console/shop/coupons/grants/:id', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ grant: couponGrant() })
    }),
  )
}

it('gives a coupon in the same form, and says whom its limit leaves out', { timeout: 60_000 }, async () => {
  withCoupons()
  open('/console/shop/points?tab=coupons&_coupon=c1')
  await userEvent.click(await screen.findByRole('button', { name: '일괄 지급' }))
  const form = within(await screen.findByRole('dialog', { name: '일괄 지급' }))
  expect(form.queryByLabelText(/^한 명에게 줄 금액/)).toBeNull()
  await userEvent.type(form.getByLabelText(/^사유/), '감사합니다')
  await userEvent.click(form.getByRole('checkbox', { name: '골드' }))
  await userEvent.click(form.getByRole('button', { name: '받을 회원 확인' }))
  expect(await form.findByText('95명에게 ‘개점 100일’ 쿠폰을 2장씩 지급합니다.')).toBeTruthy()
  expect(form.getByText('발급 한도가 95명분만 남아 5명은 받지 못합니다.')).toBeTruthy()
  expect(form.getByText('모두 쓰면 최대 $950.00가 할인됩니다.')).toBeTruthy()
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(form.getByRole('button', { name: '95명에게 지급' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const body = { levels: ['gold'], memo: '감사합니다', _coupon: 'c1' }
  expect(sent.map(({ url, body }) => [url.replace(/.*grants/, ''), body])).toEqual([
    ['?dryRun=true', body],
    ['', body],
  ])
})

it('lists what was given, and who got nothing and why', { timeout: 60_000 }, async () => {
  withCoupons()
  const list = open('/console/shop/points?tab=coupons')
  const table = within(await screen.findByRole('table', { name: '쿠폰' }))
  expect(table.getByText('100명 중 95명 지급 · 탈퇴 1명 · 지급하지 못함 4명')).toBeTruthy()
  expect(table.getByText('운영자1')).toBeTruthy()
  expect(table.getByRole('link', { name: '개점 감사' }).getAttribute('href')).toBe(
    '/console/shop/points?tab=coupons&id=g1',
  )
  list.unmount()
  const { container } = open('/console/shop/points?tab=coupons&id=g1')
  const without = within(await screen.findByRole('table', { name: '받지 못한 회원' }))
  expect(without.getByText('쿠폰 발급 한도를 모두 썼습니다.')).toBeTruthy()
  expect(without.getByText('탈퇴한 회원입니다.')).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '지급 중단' }))
  const form = within(await screen.findByRole('dialog', { name: '일괄 지급을 멈출까요?' }))
  await userEvent.type(form.getByLabelText(/^사유/), 'stop')
  await userEvent.click(form.getByRole('button', { name: '지급 중단' }))
  await waitFor(() => expect(sent.map(({ method }) => method)).toEqual(['DELETE']))
})

it('of what is done looks no more, and says what to do where there is none', { timeout: 60_000 }, async () => {
  grants = [grant({ given: 100, amount_left: 0, flags: { done: true, stopped: false } })]
  const done = open('/console/shop/points?id=b1')
  expect(await screen.findByText('완료')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '지급 중단' })).toBeNull()
  done.unmount()
  grants = []
  open()
  expect(await screen.findByText('아직 일괄 지급한 적립금이 없습니다.')).toBeTruthy()
})

it('tells what is owed as of a day, by month', { timeout: 60_000 }, async () => {
  const asked: (string | null)[] = []
  server.use(
    http.get('*/api/console/shop/points/liability', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('at'))
      return HttpResponse.json({
        at: asked.at(-1),
        granted: 100_00,
        spent: 30_00,
        expired: 20_00,
        taken: 10_00,
        left: 40_00,
        byMonth: [{ month: '2027-03', expires: 40_00 }],
      })
    }),
  )
  open('/console/shop/points?tab=liability')
  const day = await screen.findByLabelText('기준일')
  const table = within(await screen.findByRole('table', { name: '소멸 예정 금액(월별)' }))
  expect(table.getAllByRole('row').at(-1)?.textContent).toBe('2027. 03$40.00')
  expect(screen.getByText('남은 적립금').nextSibling?.textContent).toBe('$40.00')
  // An incomplete day sends no request; a future day is reported as such.
  fireEvent.change(day, { target: { value: '' } })
  fireEvent.change(day, { target: { value: '2999-03-02' } })
  expect(await screen.findByText(/지금 남은 적립금이 그때까지 소멸한 뒤/)).toBeTruthy()
  expect(asked).toEqual([seoulDay(0), '2999-03-02'])
})
