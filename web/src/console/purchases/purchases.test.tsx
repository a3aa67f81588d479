// The list of purchases: only what every chosen row allows is offered, and each row's end is told.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { faults } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { inList } from '../testing'
import { common } from './acts'
import { Component as Purchases } from './index'

withServer()

const rows = [
  inList('260302001-1'),
  inList('260302001-2', { nextActions: ['prepare', 'ship'] }),
  inList('260302002-1', { nextActions: ['ship', 'delay'] }),
]
let asked: URL[] = []
let sent: { url: string; body: unknown; key: string | null }[] = []

beforeEach(() => {
  asked = []
  sent = []
  const counts = { all: 3, nonpayment: 0, payment: 3, delivery: 0, cancel: 0, exchange: 0, return: 0, complete: 0 }
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({ setting: {}, couriers: [{ code: 'kr.cjlogistics', name: 'CJ대한통운' }] }),
    ),
    http.get('*/api/console/shop/purchases/dashboard/all', () => HttpResponse.json({ counts })),
    http.get('*/api/console/shop/purchases', ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ summary: { totalCount: 45 }, purchases: rows })
    }),
    http.put('*/api/console/shop/:what/:no', async ({ request, params }) => {
      sent.push({
        url: new URL(request.url).pathname,
        body: await request.json(),
        key: request.headers.get('Idempotency-Key'),
      })
      return params.no === '260302001-2'
        ? HttpResponse.json(
            { error: { code: 'not_allowed_now', message: '현재 상태에서는 처리할 수 없습니다.' } },
            { status: 409 },
          )
        : HttpResponse.json({ purchase: rows[0] })
    }),
  )
})

const open = async (at = '/console/shop/purchases/payment') => {
  const shown = renderPage(<Purchases />, at)
  await screen.findByRole('table')
  return shown
}
const choose = async (...lines: number[]) => {
  const table = within(screen.getByRole('table'))
  for (const line of lines) await userEvent.click(table.getByRole('checkbox', { name: `${line}번째 줄 선택` }))
}
const button = (name: string) => screen.queryByRole('button', { name })

describe('the purchases', () => {
  it('ask the server for the tab, the period, the words and the order of the address', async () => {
    await open('/console/shop/purchases/payment?q=바이크&from=2026-03-01&sort=createdAt&page=2')
    const query = Object.fromEntries(asked[0]?.searchParams ?? [])
    expect(query).toEqual({ tab: 'payment', searchValue: '바이크', from: '2026-03-01', sort: 'createdAt' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('결제완료')
    expect(await faults()).toEqual([])
  })

  it('offer only what every chosen row allows', async () => {
    await open()
    await choose(1)
    expect(button('준비 처리')).toBeTruthy()
    expect(button('송장 등록')).toBeNull()
    await choose(2)
    expect(button('준비 처리')).toBeTruthy()
    await choose(3)
    expect(button('준비 처리')).toBeNull()
    expect(screen.getByText('선택한 줄에 함께 할 수 있는 일이 없습니다.')).toBeTruthy()
  })

  it('tell each row how it ended, and keep the refused ones chosen', async () => {
    await open()
    await choose(1, 2)
    await userEvent.click(screen.getByRole('button', { name: '준비 처리' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('1건 완료, 1건 거절')).toBeTruthy()
    expect(dialog.getByText('거절: 현재 상태에서는 처리할 수 없습니다.')).toBeTruthy()
    expect(sent.map((one) => one.url)).toEqual([
      '/api/console/shop/purchases/260302001-1',
      '/api/console/shop/purchases/260302001-2',
    ])
    expect(sent[0]?.body).toEqual({ orderStatus: 'ORDER_CONFIRM' })
    expect(new Set(sent.map((one) => one.key)).size).toBe(2)
    expect(await faults()).toEqual([])
    await userEvent.click(dialog.getAllByRole('button', { name: '닫기' })[0] as HTMLElement)
    expect(screen.getByText('1개 선택')).toBeTruthy()
  })

  it('ask for courier and number before a parcel is sent', async () => {
    await open()
    await choose(3)
    await userEvent.click(screen.getByRole('button', { name: '송장 등록' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ship = dialog.getByRole('button', { name: '송장 등록' })
    await userEvent.click(ship)
    expect(dialog.getByText('송장번호를 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await dialog.findByRole('option', { name: 'CJ대한통운' })
    await userEvent.selectOptions(dialog.getByLabelText(/택배사/), 'kr.cjlogistics')
    await userEvent.type(dialog.getByLabelText(/송장번호/), '123456789')
    await userEvent.click(ship)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      url: '/api/console/shop/invoices/260302002-1',
      body: { courier: 'kr.cjlogistics', invoiceNo: '123456789' },
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('what rows have in common', () => {
  it('is nothing for no rows', () => expect(common([], ['prepare'])).toEqual([]))
})
