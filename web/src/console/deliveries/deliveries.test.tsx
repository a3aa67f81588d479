// The list of parcels: every direction, tracking links, and correcting the number of one in transit.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import type { Parcel } from '../types'
import { Component as Page } from './index'

withServer()

const parcel: Parcel = {
  _id: '20261125-7KD2M9QX-1',
  direction: 'OUT',
  status: 'SENT',
  statusText: '배송중',
  _order: 'o1',
  orderNo: '20261125-7KD2M9QX',
  purchaseNo: '20261125-7KD2M9QX-1',
  seller: { _id: 's1', nickname: '한강바이크' },
  _product: 'p1',
  name: '로드 바이크',
  optionName: '블랙',
  quantity: 2,
  courier: 'kr.epost',
  courierName: '우체국택배',
  invoiceNo: '111122223333',
  trackingUrl: 'https://m.epost.go.kr/trace?sid1=111122223333',
  sentAt: '2026-11-25T01:00:00Z',
}

const back: Parcel = {
  ...parcel,
  _id: 'c1-back',
  _claim: 'c1',
  direction: 'BACK',
  status: 'ARRIVED',
  statusText: '회수완료',
  courier: null,
  courierName: null,
  invoiceNo: null,
  trackingUrl: null,
  arrivedAt: '2026-11-26T01:00:00Z',
}

let asked: URL[]
let sent: { path: string; body: unknown }[]
let refusal: object | undefined

const signIn = (scope: 'console' | 'company') =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'OPERATOR', scope: [scope] } })

beforeEach(() => {
  signIn('console')
  asked = []
  sent = []
  refusal = undefined
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({
        setting: {},
        couriers: [
          { code: 'kr.epost', name: '우체국택배' },
          { code: 'kr.hanjin', name: '한진택배' },
          { code: 'own.delivery', name: '직접 배송', numbered: false },
        ],
      }),
    ),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
    http.get('*/api/console/shop/deliveries', ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ summary: { totalCount: 2 }, deliveries: [back, parcel] })
    }),
    http.put('*/api/console/shop/deliveries/:id', async ({ request }) => {
      sent.push({ path: new URL(request.url).pathname, body: await request.json() })
      return refusal ? HttpResponse.json(refusal, { status: 400 }) : HttpResponse.json({ delivery: parcel })
    }),
  )
})

const open = async (search = '') => {
  const shown = renderPage(
    <>
      <Page />
      <ConfirmHost />
    </>,
    `/console/shop/deliveries${search}`,
  )
  await screen.findByRole('table', { name: '배송 현황' })
  return shown
}

/** The button of the table; below 1024 px there is a card instead. */
const correct = () =>
  within(screen.getByRole('table')).getByRole('button', { name: `${parcel.purchaseNo} 발송 송장 수정` })

it('shows each parcel with its direction, its state and its tracking link', async () => {
  const { container } = await open('?direction=OUT&sentAtFrom=2026-11-01&q=20261125')
  const [returned, out] = within(screen.getByRole('table')).getAllByRole('row').slice(1)
  if (!returned || !out) throw new Error('two rows')
  expect(within(out).getByText('발송')).toBeTruthy()
  expect(within(out).getByText('배송중')).toBeTruthy()
  expect(within(out).getByText(/블랙 · 2개 · 한강바이크/)).toBeTruthy()
  expect(within(out).getByRole('link', { name: parcel.purchaseNo }).getAttribute('href')).toBe(
    '/console/shop/orders/o1',
  )
  expect(within(out).getByRole('link', { name: '배송조회' }).getAttribute('href')).toBe(parcel.trackingUrl)
  expect(within(returned).getByText('회수')).toBeTruthy()
  expect(within(returned).getByText('송장 없이 수거')).toBeTruthy()
  expect(within(returned).queryByRole('link', { name: '배송조회' })).toBeNull()
  expect(within(returned).getByText(/도착/)).toBeTruthy()
  // Delivered parcels cannot be corrected.
  expect(within(returned).queryByRole('button')).toBeNull()
  const query = Object.fromEntries(asked[0]?.searchParams ?? [])
  expect(query).toEqual({ direction: 'OUT', sentAtFrom: '2026-11-01', searchValue: '20261125', sort: '-sentAt' })
  expect(await a11yViolations(container)).toEqual([])
})

it('does not show sellers the seller of their own goods', async () => {
  signIn('company')
  await open()
  expect(screen.queryByText(/한강바이크/)).toBeNull()
})

it('validates and corrects a number', async () => {
  await open()
  await userEvent.click(correct())
  const dialog = within(await screen.findByRole('dialog'))
  const number = dialog.getByRole('textbox', { name: /송장번호/ })
  await userEvent.clear(number)
  await userEvent.type(number, '12-34')
  await userEvent.click(dialog.getByRole('button', { name: '저장' }))
  expect(await dialog.findByText('숫자 8~20자리의 송장번호를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.clear(number)
  await userEvent.type(number, '4444-5555-6666')
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /택배사/ }), 'kr.hanjin')
  await userEvent.click(dialog.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    {
      path: `/api/console/shop/deliveries/${parcel._id}`,
      body: { courier: 'kr.hanjin', invoiceNo: '4444-5555-6666' },
    },
  ])
  await waitFor(() => expect(asked.length).toBeGreaterThan(1))
})

it('corrects a parcel that the seller delivers, which has no number', async () => {
  await open()
  await userEvent.click(correct())
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /택배사/ }), '직접 배송')
  expect(dialog.queryByRole('textbox')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(sent).toMatchObject([{ body: { courier: 'own.delivery', invoiceNo: '' } }]))
})

it("shows the server's refusal at its field", async () => {
  refusal = {
    error: {
      code: 'invalid',
      message: '입력한 내용을 확인해 주세요.',
      fields: [{ field: 'invoiceNo', code: 'invoice_malformed', message: '송장번호를 다시 확인해 주세요.' }],
    },
  }
  await open()
  await userEvent.click(correct())
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: '저장' }))
  expect(await dialog.findByText('송장번호를 다시 확인해 주세요.')).toBeTruthy()
})
