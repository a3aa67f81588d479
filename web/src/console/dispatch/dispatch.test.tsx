// The dispatch list: each act says for how many of the selection it fits and is done for those only; own delivery needs no number; the
// print page reads receivers once and prints no label without an address.
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { inList } from '../testing'
import { Component as Dispatch } from './index'
import { Component as Print } from './print'

withServer()

const rows = [
  inList('260302001-1', { nextActions: ['prepare'], quantity: 2, paid: 1000, shipBy: '2026-11-30', method: 'GENERAL' }),
  inList('260302002-1', { nextActions: ['ship'], quantity: 1, paid: 500 }),
]
let sent: { path: string; body: unknown; key: string | null }[]

const take = async (request: Request) => {
  const { pathname: path } = new URL(request.url)
  sent.push({ path, body: await request.json(), key: request.headers.get('Idempotency-Key') })
}

const sheet = (orderNo: string, address1: string | undefined) => ({
  orderNo,
  createdAt: '2026-11-26T01:00:00Z',
  receiver: { name: '김받음', phone: '01087654321', postcode: address1 && '06236', address1 },
  sender: { name: '홍길동', phone: '01012345678' },
  requestMessage: '문 앞에 놓아 주세요',
  method: address1 ? 'GENERAL' : 'PICK_UP',
  methodText: address1 ? '택배' : '방문 수령',
  items: [{ purchaseNo: `${orderNo}-1`, name: '로드 바이크', code: 'A-1', quantity: 2 }],
})

beforeEach(() => {
  sent = []
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] },
  })
  const states = ['new', 'preparing', 'late', 'shipping', 'arrived'].map((state, n) => ({
    state,
    purchases: n,
    quantity: 3 * n,
    paid: 100 * n,
    dueToday: n,
  }))
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({
        setting: {},
        couriers: [
          { code: 'kr.hanjin', name: '한진택배', numbered: true },
          { code: 'own.delivery', name: '직접 배송', numbered: false },
        ],
      }),
    ),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
    http.get('*/api/console/shop/purchases/dispatch', () => HttpResponse.json({ states })),
    http.get('*/api/console/shop/purchases', () => HttpResponse.json({ summary: { totalCount: 2 }, purchases: rows })),
    http.put('*/api/console/shop/:what/:no', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ purchase: rows[0] })
    }),
    http.post('*/api/console/shop/purchases/receivers', async ({ request }) => {
      await take(request)
      return HttpResponse.json({
        parcels: [sheet('260302001', '서울시 강남구 테헤란로 1'), sheet('260302002', undefined)],
        failed: [{ id: '260302003-1', code: 'no_address', message: '받는 주소가 없습니다.' }],
      })
    }),
  )
})

it('says which act fits how many, and does it for those', async () => {
  const { container } = renderPage(<Dispatch />, '/console/shop/dispatch/preparing')
  const table = within(await screen.findByRole('table'))
  expect(await screen.findByText(/1건 · 3개/)).toBeTruthy()
  expect(screen.getByText('오늘까지 보낼 주문 1건')).toBeTruthy()
  for (const line of [1, 2]) await userEvent.click(table.getByRole('checkbox', { name: `${line}번째 행 선택` }))
  expect(screen.getByText(/2건 · 3개/)).toBeTruthy()
  expect(screen.getByRole('button', { name: '준비 처리 1/2' })).toBeTruthy()
  expect(await a11yViolations(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '송장 등록 1/2' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /택배사/ }), 'own.delivery')
  expect(dialog.queryByRole('textbox', { name: /송장번호/ })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: '송장 등록' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.path).toBe('/api/console/shop/invoices/260302002-1')
  expect(sent[0]?.body).toEqual({ courier: 'own.delivery', invoiceNo: '' })
})

it('prints labels with an address only, and slips of all', async () => {
  const state = { purchaseNos: ['260302001-1', '260302002-1', '260302003-1'], key: 'once' }
  const { router } = renderPage(<Print />, '/console/shop/dispatch/print')
  expect(screen.getByText('인쇄할 주문이 없습니다.')).toBeTruthy()
  await act(() => router.navigate('/console/shop/dispatch/print', { state }))
  expect(await screen.findByText(/받는 주소가 없습니다/)).toBeTruthy()
  expect(document.querySelectorAll('.print-sheets .print-label')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: '거래명세서 (A4)' }))
  expect(document.querySelectorAll('.print-sheets .print-slip')).toHaveLength(2)
  expect(sent).toEqual([
    {
      path: '/api/console/shop/purchases/receivers',
      body: { purchaseNos: ['260302001-1', '260302002-1', '260302003-1'] },
      key: 'once',
    },
  ])
})
