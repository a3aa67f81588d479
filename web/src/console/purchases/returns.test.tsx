// Returns as a work queue: picked up with or without a parcel number, inspected by the piece, approved with the refund shown first, or
// refused, with collected goods sent back.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { refundPreview } from '../../testing/shop'
import { ConfirmHost } from '../../ui/confirm'
import { recordWords } from '../crud/words'
import { claim, inList, order, purchase } from '../testing'
import type { PurchaseInList } from '../types'
import { Component as Purchases } from './index'
import { parcelOf } from './purchaseActions'

withServer()

const NO = '260302001-1'
const asked = { _id: 'k1', kind: 'RETURN' as const, reason: '다른 상품이 왔어요', forStaff: false, feeDue: false }
const returned = (no: string, more: Partial<PurchaseInList> = {}) =>
  inList(no, {
    claim: asked,
    claimStatus: 'RETURN_REQUESTED',
    collectionStatus: 'COLLECTION_PENDING',
    statusText: '반품요청',
    quantity: 2,
    // The parcel it was sent with.
    courier: 'kr.cjlogistics',
    invoiceNo: '999',
    ...more,
  })

let rows: PurchaseInList[]
let sent: { no: unknown; body: unknown }[]

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  sent = []
  const counts = { all: 1, nonpayment: 0, payment: 0, delivery: 0, cancel: 0, exchange: 0, return: 1, complete: 0 }
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
        order: order({ purchases: [purchase(NO, { quantity: 2, claim: asked })], claims: [claim(NO)] }),
      }),
    ),
    http.put('*/api/console/shop/purchases/:no', async ({ request, params }) => {
      sent.push({ no: params.no, body: await request.json() })
      return HttpResponse.json({})
    }),
  )
})

/** Opens the queue and opens an action on its first rows. */
async function begin(action: string, count = 1) {
  renderPage(
    <>
      <Purchases />
      <ConfirmHost />
    </>,
    '/console/shop/purchases/return',
  )
  const table = within(await screen.findByRole('table'))
  for (let line = 1; line <= count; line += 1)
    await userEvent.click(table.getByRole('checkbox', { name: `${line}번째 행 선택` }))
  await userEvent.click(screen.getByRole('button', { name: action }))
  return within(await screen.findByRole('dialog'))
}
const isOver = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('the queue', () => {
  it('shows the reason of each return and the state of its goods', async () => {
    rows = [returned(NO, { nextActions: ['pickUpGoods', 'rejectReturn'] })]
    renderPage(<Purchases />, '/console/shop/purchases/return')
    const row = (await screen.findByRole('table')).querySelector('tbody tr')
    expect(row?.textContent).toContain('반품 사유: 다른 상품이 왔어요')
    expect(row?.textContent).toContain('반품요청수거대기')
  })

  it('offers an inspection for a single row only', async () => {
    rows = [NO, '260302002-1'].map((no) => returned(no, { nextActions: ['inspectGoods', 'rejectReturn'] }))
    renderPage(<Purchases />, '/console/shop/purchases/return')
    const table = within(await screen.findByRole('table'))
    await userEvent.click(table.getByRole('checkbox', { name: '1번째 행 선택' }))
    expect(screen.getByRole('button', { name: '검수' })).toBeTruthy()
    await userEvent.click(table.getByRole('checkbox', { name: '2번째 행 선택' }))
    expect(screen.queryByRole('button', { name: '검수' })).toBeNull()
    expect(screen.getByRole('button', { name: '반품 거부' })).toBeTruthy()
  })
})

describe('pickup', () => {
  beforeEach(() => {
    rows = [returned(NO, { nextActions: ['pickUpGoods'] }), returned('260302002-1', { nextActions: ['pickUpGoods'] })]
  })

  it('needs no number, and does not default to the number it was sent with', async () => {
    const dialog = await begin('수거 처리')
    expect(dialog.getByLabelText<HTMLInputElement>(/송장번호/).value).toBe('')
    expect(dialog.getByText('송장 없이 수거했다면 비워 두세요.')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '수거 처리' }))
    await isOver()
    expect(sent).toEqual([{ no: NO, body: { collectionStatus: 'COLLECTION_PROGRESS' } }])
  })

  it('with a number requires its courier, and applies to the rows that have one', async () => {
    const dialog = await begin('수거 처리', 2)
    await userEvent.type(dialog.getByLabelText(/송장번호 · 260302002-1/), '123')
    await userEvent.click(dialog.getByRole('button', { name: '수거 처리' }))
    expect(dialog.getByRole('alert').textContent).toContain('택배사를 선택해 주세요.')
    expect(sent).toEqual([])
    await dialog.findByRole('option', { name: 'CJ대한통운' })
    await userEvent.selectOptions(dialog.getByLabelText(/택배사/), 'kr.cjlogistics')
    await userEvent.click(dialog.getByRole('button', { name: '수거 처리' }))
    await isOver()
    const collectionStatus = 'COLLECTION_PROGRESS'
    expect(sent).toEqual([
      { no: NO, body: { collectionStatus } },
      { no: '260302002-1', body: { collectionStatus, courier: 'kr.cjlogistics', invoiceNo: '123' } },
    ])
  })

  it('that is refused shows why', async () => {
    server.use(
      http.put('*/api/console/shop/purchases/:no', () =>
        HttpResponse.json({ error: { code: 'not_allowed_now', message: '이미 철회되었습니다.' } }, { status: 409 }),
      ),
    )
    const dialog = await begin('수거 처리')
    await userEvent.click(dialog.getByRole('button', { name: '수거 처리' }))
    expect(await dialog.findByText('거절: 이미 철회되었습니다.')).toBeTruthy()
  })
})

describe('an inspection', () => {
  beforeEach(() => {
    rows = [returned(NO, { nextActions: ['inspectGoods'], collectionStatus: 'COLLECTION_PROGRESS' })]
  })
  const count = (label: string, button: string) =>
    userEvent.click(within(screen.getByRole('group', { name: label })).getByRole('button', { name: button }))

  it('counts pieces that arrived and that can be resold, and corrects the fault', async () => {
    const dialog = await begin('검수')
    expect(await dialog.findByText('구매자는 판매자 책임으로 신청했습니다.')).toBeTruthy()
    expect(dialog.getByText('다른 상품이 왔어요')).toBeTruthy()
    expect(dialog.queryByText(/폐기됩니다|거부됩니다/)).toBeNull()
    await count('다시 팔 수 있는 수량', '수량 줄이기')
    expect(dialog.getByText('1개는 재고로 돌아가지 않고 폐기됩니다.')).toBeTruthy()
    await count('도착한 수량', '수량 줄이기')
    expect(dialog.getByText('도착하지 않은 1개는 반품이 거부됩니다.')).toBeTruthy()
    expect(dialog.queryByText(/폐기됩니다/)).toBeNull()
    await userEvent.click(dialog.getByRole('radio', { name: '구매자' }))
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '검수 완료' }))
    await isOver()
    const inspection = { arrived: 1, resellable: 1, fault: 'BUYER' }
    expect(sent).toEqual([{ no: NO, body: { collectionStatus: 'COLLECTION_COMPLETE', inspection } }])
  })

  it('defaults to all pieces resellable, and shows a refusal at its field', async () => {
    server.use(
      http.put('*/api/console/shop/purchases/:no', async ({ request }) => {
        sent.push({ no: NO, body: await request.json() })
        const field = { field: 'inspection.resellable', code: 'range', message: '도착한 수량보다 많습니다.' }
        return HttpResponse.json({ error: { code: 'invalid', message: '확인', fields: [field] } }, { status: 400 })
      }),
    )
    const dialog = await begin('검수')
    await dialog.findByText('다른 상품이 왔어요')
    await userEvent.click(dialog.getByRole('button', { name: '검수 완료' }))
    const told = await dialog.findByText('도착한 수량보다 많습니다.')
    const resellable = dialog.getByRole('textbox', { name: '다시 팔 수 있는 수량' })
    expect(resellable.getAttribute('aria-describedby')).toBe(told.id)
    expect(document.activeElement).toBe(resellable)
    const inspection = { arrived: 2, resellable: 2, fault: 'SELLER' }
    expect(sent).toEqual([{ no: NO, body: { collectionStatus: 'COLLECTION_COMPLETE', inspection } }])
  })

  it.each(['1.5', '-2'])('sends no count for invalid text, however it is submitted: %s', async (text) => {
    const dialog = await begin('검수')
    const arrived = await dialog.findByRole<HTMLInputElement>('textbox', { name: '도착한 수량' })
    const done = dialog.getByRole('button', { name: '검수 완료' })
    await userEvent.clear(arrived)
    await userEvent.type(arrived, `${text}{Enter}`)
    expect(dialog.getByRole('alert').textContent).toContain(`‘${text}’ 대신 2개로 되돌렸습니다.`)
    await userEvent.clear(arrived)
    await userEvent.type(arrived, text)
    await userEvent.click(done)
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(sent).toEqual([])
    // A second submit sends the count that the field shows again.
    expect(arrived.value).toBe('2')
    await userEvent.click(done)
    await isOver()
    const inspection = { arrived: 2, resellable: 2, fault: 'SELLER' }
    expect(sent).toEqual([{ no: NO, body: { collectionStatus: 'COLLECTION_COMPLETE', inspection } }])
  })

  it('is not lost by accident: Esc asks', async () => {
    const dialog = await begin('검수')
    await dialog.findByText('다른 상품이 왔어요')
    await count('도착한 수량', '수량 줄이기')
    await userEvent.keyboard('{Escape}')
    const question = await screen.findByRole('alertdialog', { name: recordWords.leave })
    await userEvent.click(within(question).getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(dialog.getByText('도착하지 않은 1개는 반품이 거부됩니다.')).toBeTruthy()
    expect(sent).toEqual([])
    // Unchanged fields need no confirmation.
    await count('도착한 수량', '수량 늘리기')
    await count('다시 팔 수 있는 수량', '수량 늘리기')
    await userEvent.keyboard('{Escape}')
    await isOver()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('cannot be opened without the claim, and shows why', async () => {
    server.use(
      http.get('*/api/console/shop/orders/o1', () =>
        HttpResponse.json({ error: { code: 'internal', message: '잠시 후 다시 시도해 주세요.' } }, { status: 500 }),
      ),
    )
    const dialog = await begin('검수')
    expect(await dialog.findByText('잠시 후 다시 시도해 주세요.')).toBeTruthy()
    expect(dialog.getByRole('button', { name: '검수 완료' }).ariaDisabled).toBe('true')
  })
})

describe('the decision', () => {
  it('to approve shows the refund with its fees, and sends those amounts', async () => {
    rows = [returned(NO, { nextActions: ['approveReturn'], collectionStatus: 'COLLECTION_COMPLETE' })]
    const reckoned: unknown[] = []
    const fees = [{ kind: 'FARE_RECHARGE' as const, amount: -250, reason: '앞서 뺀 배송비를 돌려드립니다.' }]
    server.use(
      http.post('*/api/console/shop/purchases/cancel/preview', async ({ request }) => {
        reckoned.push(await request.json())
        return HttpResponse.json({
          refunds: [{ _order: 'o1', purchaseNos: [NO], preview: refundPreview({ fees }) }],
          sums: { refund: 100000, points: 200 },
          failed: [],
        })
      }),
    )
    const dialog = await begin('반품 승인')
    const approve = await dialog.findByRole('button', { name: '$1,000.00 환불하고 반품 승인' })
    expect(dialog.getByText('추가 배송비 반환').parentElement?.textContent).toContain('+$2.50')
    expect(reckoned).toEqual([{ action: 'approveReturn', purchaseNos: [NO] }])
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(approve)
    await isOver()
    expect(sent).toEqual([
      { no: NO, body: { claimStatus: 'RETURN_COMPLETED', shown: { refund: 100000, points: 200 } } },
    ])
  })

  it('to refuse has a reason, and a parcel for goods that were picked up', async () => {
    rows = [
      returned(NO, { nextActions: ['rejectReturn'], collectionStatus: 'COLLECTION_COMPLETE' }),
      returned('260302002-1', { nextActions: ['rejectReturn'] }),
    ]
    const dialog = await begin('반품 거부', 2)
    // The other goods never left the buyer.
    expect(dialog.getAllByLabelText(/송장번호/)).toHaveLength(1)
    await userEvent.click(dialog.getByRole('button', { name: '반품 거부' }))
    expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: /^사유/ }))
    await userEvent.type(dialog.getByRole('textbox', { name: /^사유/ }), '사용한 흔적이 있습니다')
    await userEvent.click(dialog.getByRole('button', { name: '반품 거부' }))
    expect(dialog.getByText('송장번호를 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await dialog.findByRole('option', { name: 'CJ대한통운' })
    await userEvent.selectOptions(dialog.getByLabelText(/택배사/), 'kr.cjlogistics')
    await userEvent.type(dialog.getByLabelText(/송장번호/), '777')
    await userEvent.click(dialog.getByRole('button', { name: '반품 거부' }))
    await isOver()
    const said = { claimStatus: 'RETURN_REJECTED', reason: '사용한 흔적이 있습니다' }
    expect(sent).toEqual([
      { no: NO, body: { ...said, courier: 'kr.cjlogistics', invoiceNo: '777' } },
      { no: '260302002-1', body: said },
    ])
  })

  it.each([
    ['ship', 'NONE', 'required'],
    ['pickUpGoods', 'COLLECTION_PENDING', 'optional'],
    ['rejectReturn', 'COLLECTION_PENDING', undefined],
    ['rejectReturn', 'COLLECTION_PROGRESS', 'required'],
    ['rejectReturn', 'COLLECTION_COMPLETE', 'required'],
    ['rejectCancel', 'NONE', undefined],
  ] as const)('%s with the goods at %s has a parcel: %s', (action, collectionStatus, parcel) => {
    expect(parcelOf(action, { collectionStatus })).toBe(parcel)
  })
})
