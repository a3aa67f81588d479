// Exchanges as a work queue: accepted, picked up and inspected, the buyer's fee recorded, the replacement sent, corrected, delayed and
// delivered, or refused, with collected goods sent back.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { recordWords } from '../crud/words'
import { exchangeClaim, inList, order, purchase } from '../testing'
import type { Action, Claim, PurchaseInList } from '../types'
import { Component as Purchases } from './index'
import { parcelOf } from './purchaseActions'

withServer()

const NO = '260302001-1'
const asked = {
  _id: 'k1',
  kind: 'EXCHANGE' as const,
  reason: '사이즈나 색상이 맞지 않아요',
  forStaff: false,
  feeDue: false,
}
const row = (no: string, nextActions: Action[], more: Partial<PurchaseInList> = {}) =>
  inList(no, {
    claim: asked,
    claimStatus: 'EXCHANGE_PENDING',
    collectionStatus: 'COLLECTION_COMPLETE',
    statusText: '교환대기',
    quantity: 2,
    // The parcel it was sent with.
    courier: 'kr.cjlogistics',
    invoiceNo: '999',
    nextActions,
    ...more,
  })

let rows: PurchaseInList[]
let made: Claim
let sent: { path: string; body: unknown }[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  sent = []
  made = exchangeClaim(NO)
  const counts = { all: 1, nonpayment: 0, payment: 0, delivery: 0, cancel: 0, exchange: 1, return: 0, complete: 0 }
  const note = async ({ request }: { request: Request }) => {
    sent.push({ path: new URL(request.url).pathname, body: await request.json() })
    return HttpResponse.json({})
  }
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({ setting: {}, couriers: [{ code: 'kr.cjlogistics', name: 'CJ대한통운' }] }),
    ),
    http.get('*/api/console/shop/purchases/dashboard/all', () => HttpResponse.json({ counts })),
    http.get('*/api/console/shop/purchases', () =>
      HttpResponse.json({ summary: { totalCount: rows.length }, purchases: rows }),
    ),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
    http.get('*/api/console/shop/orders/o1', () =>
      HttpResponse.json({
        order: order({ purchases: [purchase(NO, { quantity: 2, claim: asked })], claims: [made] }),
      }),
    ),
    http.put('*/api/console/shop/purchases/:no', note),
    http.post('*/api/console/shop/orders/o1/claims/k1/fee', note),
  )
})

/** Opens the queue, selects its first row and opens an action on it. */
async function begin(action: string) {
  renderPage(
    <>
      <Purchases />
      <ConfirmHost />
    </>,
    '/console/shop/purchases/exchange',
  )
  const table = within(await screen.findByRole('table'))
  await userEvent.click(table.getByRole('checkbox', { name: '1번째 행 선택' }))
  await userEvent.click(screen.getByRole('button', { name: action }))
}
const opened = async () => within(await screen.findByRole('dialog'))
const isOver = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const put = (body: object) => ({ path: `/api/console/shop/purchases/${NO}`, body })

describe('the queue', () => {
  it('shows the reason of each exchange, the state of its goods, and what staff wait for', async () => {
    rows = [
      row(NO, ['pickUpGoods', 'rejectExchange'], { collectionStatus: 'COLLECTION_PENDING' }),
      row('260302002-1', ['receiveFee', 'rejectExchange'], { claim: { ...asked, fault: 'BUYER', feeDue: true } }),
    ]
    renderPage(<Purchases />, '/console/shop/purchases/exchange')
    const [first, second] = (await screen.findByRole('table')).querySelectorAll('tbody tr')
    expect(first?.textContent).toContain('교환 사유: 사이즈나 색상이 맞지 않아요')
    expect(first?.textContent).toContain('교환대기수거대기')
    expect(second?.textContent).toContain('교환대기교환 비용 입금 대기')
    expect(second?.textContent).toContain('배송비 부담: 구매자')
  })

  it('explains itself when it is empty', async () => {
    rows = []
    renderPage(<Purchases />, '/console/shop/purchases/exchange')
    expect(await screen.findByText(/여기에서 승인하고, 수거하고 검수한 뒤 새 상품을 보냅니다/)).toBeTruthy()
  })
})

it.each<[string, Action, object]>([
  ['교환 승인', 'acceptExchange', { claimStatus: 'EXCHANGE_PENDING' }],
  ['교환 배송완료', 'completeExchange', { claimStatus: 'EXCHANGE_COMPLETED' }],
])('%s needs no parameters', async (button, action, body) => {
  rows = [row(NO, [action])]
  await begin(button)
  await waitFor(() => expect(sent).toEqual([put(body)]))
  await isOver()
})

it('the replacement is sent with a new parcel, not with the original one', async () => {
  rows = [row(NO, ['shipReplacement', 'delayReplacement'])]
  await begin('교환 상품 발송')
  const dialog = await opened()
  expect(dialog.getByText(/새 상품을 보내는 송장을 입력해 주세요/)).toBeTruthy()
  expect(dialog.getByLabelText<HTMLInputElement>(/송장번호/).value).toBe('')
  await userEvent.click(dialog.getByRole('button', { name: '교환 상품 발송' }))
  expect(dialog.getByText('송장번호를 입력해 주세요.')).toBeTruthy()
  expect(sent).toEqual([])
  await dialog.findByRole('option', { name: 'CJ대한통운' })
  await userEvent.selectOptions(dialog.getByLabelText(/택배사/), 'kr.cjlogistics')
  await userEvent.type(dialog.getByLabelText(/송장번호/), '777')
  expect(await a11yViolations()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: '교환 상품 발송' }))
  await isOver()
  expect(sent).toEqual([put({ claimStatus: 'EXCHANGE_SHIPPING', courier: 'kr.cjlogistics', invoiceNo: '777' })])
})

it.each([
  ['교환 배송 지연', 'delayReplacement', 'EXCHANGE_DELAYED'],
  ['교환 거부', 'rejectExchange', 'EXCHANGE_REJECTED'],
] as const)('%s has a reason', async (button, action, claimStatus) => {
  rows = [row(NO, [action], { collectionStatus: 'COLLECTION_PENDING' })]
  await begin(button)
  const dialog = await opened()
  expect(dialog.queryByLabelText(/송장번호/)).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: button }))
  expect(dialog.getByRole('alert')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: /^사유/ }))
  await userEvent.type(dialog.getByRole('textbox', { name: /^사유/ }), '입고가 늦어집니다')
  await userEvent.click(dialog.getByRole('button', { name: button }))
  await isOver()
  expect(sent).toEqual([put({ claimStatus, reason: '입고가 늦어집니다' })])
})

it('a rejection is followed by the refund of what was paid, and read again then', async () => {
  rows = [row(NO, ['rejectExchange'], { collectionStatus: 'COLLECTION_PENDING' })]
  const waits = vi.spyOn(globalThis, 'setTimeout')
  await begin('교환 거부')
  const dialog = await opened()
  await userEvent.type(dialog.getByRole('textbox', { name: /^사유/ }), '품절입니다')
  await userEvent.click(dialog.getByRole('button', { name: '교환 거부' }))
  await isOver()
  const later = waits.mock.calls.filter(([, after]) => after === 2000).map(([act]) => act as () => void)
  waits.mockRestore()
  expect(later).toHaveLength(1)
  let reads = 0
  server.use(
    http.get('*/api/console/shop/purchases', () => {
      reads += 1
      return HttpResponse.json({ summary: { totalCount: 0 }, purchases: [] })
    }),
  )
  later[0]?.()
  await waitFor(() => expect(reads).toBe(1))
})

describe('an inspection', () => {
  it('shows the exchange, and the fee', async () => {
    rows = [row(NO, ['inspectGoods'], { collectionStatus: 'COLLECTION_PROGRESS' })]
    await begin('검수')
    const dialog = await opened()
    expect(await dialog.findByText('구매자 책임이면 교환 배송비를 입금받은 뒤 새 상품을 보냅니다.')).toBeTruthy()
    expect(dialog.getByText(/교환을 거부해 주세요/)).toBeTruthy()
    const arrived = within(dialog.getByRole('group', { name: '도착한 수량' }))
    await userEvent.click(arrived.getByRole('button', { name: '수량 줄이기' }))
    expect(dialog.getByText('도착하지 않은 1개는 교환이 거부됩니다.')).toBeTruthy()
  })
})

describe('the fee', () => {
  beforeEach(() => {
    rows = [row(NO, ['receiveFee', 'rejectExchange'])]
  })
  const save = '배송비 입금 확인'

  it("is shown, and recorded with the bank's reference", async () => {
    await begin(save)
    const dialog = await opened()
    expect((await dialog.findByText('받을 교환 배송비')).parentElement?.textContent).toContain('$6.00')
    await userEvent.click(dialog.getByRole('button', { name: save }))
    expect(dialog.getByText('이체 확인번호를 두 글자 이상 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.type(dialog.getByLabelText(/이체 확인번호/), ' 20261126-7 ')
    expect(await a11yViolations()).toEqual([])
    await userEvent.dblClick(dialog.getByRole('button', { name: save }))
    await isOver()
    expect(sent).toEqual([
      { path: '/api/console/shop/orders/o1/claims/k1/fee', body: { amount: 600, reference: '20261126-7' } },
    ])
  })

  it('that was paid meanwhile is not recorded again', async () => {
    made = exchangeClaim(NO, {
      exchange: {
        difference: 0,
        differenceBack: { money: 0, points: 0 },
        price: 0,
        fee: 600,
        feePaid: true,
        pay: null,
      },
    })
    await begin(save)
    const dialog = await opened()
    expect(await dialog.findByText('받을 교환 배송비가 없습니다.')).toBeTruthy()
    expect(dialog.getByRole('button', { name: save }).ariaDisabled).toBe('true')
  })

  it('that is refused shows why, and is not lost by accident', async () => {
    server.use(
      http.post('*/api/console/shop/orders/o1/claims/k1/fee', () =>
        HttpResponse.json({ error: { code: 'not_allowed_now', message: '받을 금액이 다릅니다.' } }, { status: 409 }),
      ),
    )
    await begin(save)
    const dialog = await opened()
    await userEvent.type(await dialog.findByLabelText(/이체 확인번호/), '20261126-7')
    await userEvent.click(dialog.getByRole('button', { name: save }))
    expect(await dialog.findByText('받을 금액이 다릅니다.')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    const question = await screen.findByRole('alertdialog', { name: recordWords.leave })
    await userEvent.click(within(question).getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(dialog.getByLabelText<HTMLInputElement>(/이체 확인번호/).value).toBe('20261126-7')
  })
})

it.each([
  ['shipReplacement', 'COLLECTION_COMPLETE', 'required'],
  ['correctReplacement', 'COLLECTION_COMPLETE', 'required'],
  ['acceptExchange', 'NONE', undefined],
  ['rejectExchange', 'NONE', undefined],
  ['rejectExchange', 'COLLECTION_PENDING', undefined],
  ['rejectExchange', 'COLLECTION_PROGRESS', 'required'],
  ['rejectExchange', 'COLLECTION_COMPLETE', 'required'],
] as const)('%s with the goods at %s has a parcel: %s', (action, collectionStatus, parcel) => {
  expect(parcelOf(action, { collectionStatus })).toBe(parcel)
})
