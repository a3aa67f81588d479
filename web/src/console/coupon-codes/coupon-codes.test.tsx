// Codes of coupons: made with an idempotency key, listed with who redeemed them, printed, stopped with a reason.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Toasts } from '../../ui/toast'
import type { CodeBatch } from './api'
import { Component as Page } from './index'

withServer()

const batch = (more: Partial<CodeBatch> = {}): CodeBatch => ({
  _id: 'b1',
  _coupon: 'c1',
  couponName: '가을 쿠폰',
  handle: 'K7QF',
  count: 30,
  redeemed: 1,
  used: 0,
  memo: '가을 전단지',
  createdAt: '2026-11-20T01:00:00Z',
  createdBy: { _id: 'u', name: '운영자1' },
  stoppedAt: null,
  stopMemo: null,
  ...more,
})

const terms = {
  sentence: '주문 전체에서 10% 할인',
  redeemBefore: '2026-12-31T15:00:00Z',
  endsAt: '2027-01-31T15:00:00Z',
}
const codeOf = (number: number) => `K7QF-2222-2222-22${String(number).padStart(2, '0')}`

type Sent = { method: string; url: string; body?: unknown; key: string | null }
let sent: Sent[]

const take = async (request: Request): Promise<void> => {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  sent.push({
    method: request.method,
    url: pathname + search,
    body: text === '' ? undefined : JSON.parse(text),
    key: request.headers.get('Idempotency-Key'),
  })
}

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  sent = []
  server.use(
    http.get('*/api/console/shop/coupons/codes', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, batches: [batch()] }),
    ),
    http.post('*/api/console/shop/coupons/codes', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ batch: batch({ count: 5 }), terms }, { status: 201 })
    }),
    http.get('*/api/console/shop/coupons/codes/b1', () => HttpResponse.json({ batch: batch(), terms })),
    http.delete('*/api/console/shop/coupons/codes/b1', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ batch: batch({ stoppedAt: '2026-11-21T01:00:00Z', stopMemo: '분실' }), terms })
    }),
    http.get('*/api/console/shop/coupons/codes/b1/list', () =>
      HttpResponse.json({
        summary: { totalCount: 30 },
        codes: [
          {
            number: 1,
            code: codeOf(1),
            redeemedAt: '2026-11-20T02:00:00Z',
            redeemedBy: { _id: 'm1', name: '홍길동' },
            used: true,
          },
          { number: 2, code: codeOf(2), redeemedAt: null, redeemedBy: null, used: false },
        ],
      }),
    ),
    http.get('*/api/console/shop/coupons/codes/b1/sheet', () =>
      HttpResponse.json({
        couponName: '가을 쿠폰',
        terms,
        codes: Array.from({ length: 29 }, (_, place) => codeOf(place + 2)),
      }),
    ),
    http.get('*/api/console/shop/coupons/c1', () =>
      HttpResponse.json({ coupon: { _id: 'c1', name: '가을 쿠폰' }, version: 1 }),
    ),
  )
})

const open = (at: string) =>
  renderPage(
    <>
      <Page />
      <Toasts />
    </>,
    at,
  )

it('makes codes once, for a coupon and a number that fits', { timeout: 60_000 }, async () => {
  open('/console/shop/coupon-codes?_coupon=c1')
  expect((await screen.findAllByText('가을 전단지')).length).toBeGreaterThan(0)
  await userEvent.click(screen.getByRole('button', { name: '코드 만들기' }))
  const dialog = within(await screen.findByRole('dialog', { name: '코드 만들기' }))
  await userEvent.type(dialog.getByLabelText(/^코드 수/), '10001')
  await userEvent.type(dialog.getByLabelText(/^용도/), '명함')
  await userEvent.click(dialog.getByRole('button', { name: '코드 만들기' }))
  expect(dialog.getByText('1 이상 10,000 이하의 수를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.clear(dialog.getByLabelText(/^코드 수/))
  await userEvent.type(dialog.getByLabelText(/^코드 수/), '5')
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: '코드 만들기' }))
  expect(await screen.findByText('코드 5개를 만들었습니다.')).toBeTruthy()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.body).toEqual({ _coupon: 'c1', count: 5, memo: '명함' })
  expect(sent[0]?.key).toBeTruthy()
})

it('shows who redeemed which code, and stops a batch with a reason', { timeout: 60_000 }, async () => {
  open('/console/shop/coupon-codes?id=b1')
  const row = (await screen.findByRole('cell', { name: codeOf(1) })).closest('tr') as HTMLElement
  expect(within(row).getByText('홍길동')).toBeTruthy()
  expect(within(row).getByText('사용함')).toBeTruthy()
  expect(screen.getByText('주문 전체에서 10% 할인')).toBeTruthy()
  expect(screen.getByText('2026. 12. 31.')).toBeTruthy()
  expect(screen.getByRole('link', { name: '기록과 열람한 사람' }).getAttribute('href')).toBe(
    '/console/ledgers/codes/b1',
  )
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '코드 중지' }))
  const dialog = within(await screen.findByRole('dialog', { name: '코드를 중지할까요?' }))
  await userEvent.click(dialog.getByRole('button', { name: '코드 중지' }))
  expect(sent).toEqual([])
  await userEvent.type(dialog.getByLabelText(/^사유/), '분실')
  await userEvent.click(dialog.getByRole('button', { name: '코드 중지' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(({ method, url }) => [method, decodeURIComponent(url)])).toEqual([
    ['DELETE', '/api/console/shop/coupons/codes/b1?memo=분실'],
  ])
})

it('prints the codes that are good, 24 a sheet, with the sentence and the earlier end', async () => {
  open('/console/shop/coupon-codes?id=b1&print=1')
  expect(await screen.findByRole('button', { name: '29개 인쇄' })).toBeTruthy()
  const sheets = document.querySelectorAll('body > .print-codes > section')
  expect([...sheets].map((sheet) => sheet.children.length)).toEqual([24, 5])
  const first = sheets[0]?.children[0] as HTMLElement
  expect(first.textContent).toContain(codeOf(2))
  expect(first.textContent).toContain('주문 전체에서 10% 할인')
  expect(first.textContent).toContain('2026. 12. 31.까지')
})
