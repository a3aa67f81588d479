// Coupons of members: who has what, giving some, taking one back and undoing that, and another last day.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import type { UserCoupon } from '../benefits/types'
import { Component as Page } from './index'

withServer()

const held = (more: Partial<UserCoupon> = {}): UserCoupon => ({
  _id: 'i1',
  _user: 'm1',
  username: 'shopper01',
  name: '하늘이',
  _coupon: 'c1',
  couponName: '생일 쿠폰',
  unit: 'PERCENT',
  value: 10,
  limit: 30_00,
  share: 0,
  state: 'HELD',
  round: 1,
  issuedAt: '2026-11-20T01:00:00Z',
  endsAt: '2026-12-31T15:00:00Z',
  ...more,
})

let coupons: UserCoupon[]
let asked: Record<string, string>[]
let sent: { method: string; url: string; body: unknown }[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  coupons = [
    held(),
    held({ _id: 'i2', name: '바람', state: 'USED', _order: 'o1', orderNo: '20261120-AAAA', discount: 12_00 }),
    held({ _id: 'i3', name: '구름', state: 'EXPIRED', endsAt: null }),
    held({ _id: 'i4', name: '노을', state: 'TAKEN' }),
  ]
  asked = []
  sent = []
  const took = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const text = await request.text()
    sent.push({
      method: request.method,
      url: decodeURIComponent(pathname.replace('/api/console/users/coupons', '') + search),
      body: text === '' ? undefined : JSON.parse(text),
    })
    return HttpResponse.json({ coupon: held() })
  }
  server.use(
    http.get('*/api/console/users/coupons', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json({ summary: { totalCount: coupons.length }, coupons })
    }),
    http.get('*/api/console/users/coupons/:id', ({ params }) => {
      const coupon = coupons.find(({ _id }) => _id === params.id)
      return HttpResponse.json({ coupon: { ...coupon, sentence: '주문 전체에서 10%, 최대 $30.00을 할인합니다.' } })
    }),
    http.post('*/api/console/users/coupons', ({ request }) => took(request)),
    http.put('*/api/console/users/coupons/:id', ({ request }) => took(request)),
    http.delete('*/api/console/users/coupons/:id', ({ request }) => took(request)),
    http.get('*/api/console/shop/coupons/:id', () => HttpResponse.json({ coupon: { _id: 'c1', name: '생일 쿠폰' } })),
    http.get('*/api/console/users/:id', () =>
      HttpResponse.json({ user: { _id: 'm1', name: '하늘이', userType: 'PERSON' } }),
    ),
  )
})

const open = (at = '/console/user-coupons') =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )
const click = async (name: string) =>
  userEvent.click((await screen.findAllByRole('button', { name }))[0] as HTMLElement)
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

it('says where each coupon is, and offers only what can be done with it', { timeout: 60_000 }, async () => {
  const { container } = open()
  const table = within(await screen.findByRole('table', { name: '회원 쿠폰' }))
  const rows = table.getAllByRole('row').slice(1) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement]
  expect(
    rows.map((row) =>
      within(row)
        .queryAllByRole('button')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([['기한 변경', '회수'], [], ['기한 변경'], ['회수 취소']])
  expect(within(rows[0]).getByText('10% · 최대 $30.00')).toBeTruthy()
  expect(within(rows[0]).getByText('2026. 12. 31.')).toBeTruthy()
  expect(within(rows[1]).getByRole('link', { name: '20261120-AAAA' })).toBeTruthy()
  expect(within(rows[1]).getByText('-$12.00')).toBeTruthy()
  expect(within(rows[2]).getByText('기한 없음')).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])
})

it('takes a coupon back for a reason, and undoes that', { timeout: 60_000 }, async () => {
  open()
  await click('하늘이 생일 쿠폰 회수')
  const form = await dialog('쿠폰 회수')
  await userEvent.click(form.getByRole('button', { name: '회수' }))
  expect(sent).toEqual([])
  await userEvent.type(form.getByLabelText(/^사유/), 'wrong')
  await userEvent.click(form.getByRole('button', { name: '회수' }))
  fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent).toEqual([
    { method: 'DELETE', url: '/i1?memo=wrong', body: undefined },
    { method: 'PUT', url: '/i1', body: { taken: false, memo: '회수를 취소합니다.' } },
  ])
})

it('says that one was used meanwhile, and reads the list again', { timeout: 60_000 }, async () => {
  const message = '이미 사용한 쿠폰입니다.'
  server.use(
    http.delete('*/api/console/users/coupons/:id', () =>
      HttpResponse.json({ error: { code: 'coupon_used', message } }, { status: 409 }),
    ),
  )
  open()
  await click('하늘이 생일 쿠폰 회수')
  const form = await dialog('쿠폰 회수')
  await userEvent.type(form.getByLabelText(/^사유/), 'wrong')
  const before = asked.length
  await userEvent.click(form.getByRole('button', { name: '회수' }))
  expect(await form.findByText(message)).toBeTruthy()
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

it('gives the coupon the list is narrowed to, to its member', { timeout: 60_000 }, async () => {
  open('/console/user-coupons?_coupon=c1&_user=m1')
  await screen.findByRole('table', { name: '회원 쿠폰' })
  await click('쿠폰 지급')
  const form = await dialog('쿠폰 지급')
  await userEvent.type(form.getByLabelText(/^사유/), 'sorry')
  await userEvent.click(form.getByRole('button', { name: '쿠폰 지급' }))
  await waitFor(() =>
    expect(sent).toEqual([{ method: 'POST', url: '', body: { _coupon: 'c1', _user: 'm1', memo: 'sorry' } }]),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('gives nothing before a coupon and a member are chosen', { timeout: 60_000 }, async () => {
  open()
  await screen.findByRole('table', { name: '회원 쿠폰' })
  await click('쿠폰 지급')
  const form = await dialog('쿠폰 지급')
  await userEvent.type(form.getByLabelText(/^사유/), 'sorry')
  await userEvent.click(form.getByRole('button', { name: '쿠폰 지급' }))
  expect(await form.findByText('쿠폰을 골라 주세요.')).toBeTruthy()
  expect(form.getByText('회원을 골라 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
})

it('changes the last day', { timeout: 60_000 }, async () => {
  open()
  await click('하늘이 생일 쿠폰 기한 변경')
  const form = await dialog('사용 기한 변경')
  fireEvent.change(form.getByLabelText(/^마지막 날/), { target: { value: '2999-01-31' } })
  await userEvent.type(form.getByLabelText(/^사유/), 'longer')
  await userEvent.click(form.getByRole('button', { name: '저장' }))
  await waitFor(() =>
    expect(sent).toEqual([{ method: 'PUT', url: '/i1', body: { endsAt: '2999-01-31', memo: 'longer' } }]),
  )
})

it('tells the terms of one in a sentence, and leads to its ledger', { timeout: 60_000 }, async () => {
  const { container } = open('/console/user-coupons?id=i2')
  expect(await screen.findByText('주문 전체에서 10%, 최대 $30.00을 할인합니다.')).toBeTruthy()
  const href = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href')
  expect(href(/장부에서/)).toBe('/console/ledgers/coupon/i2')
  expect(href(/쿠폰 설정/)).toBe('/console/shop/coupons?id=c1')
  expect(href(/20261120-AAAA/)).toBe('/console/shop/orders/o1')
  expect(await a11yViolations(container)).toEqual([])
})
