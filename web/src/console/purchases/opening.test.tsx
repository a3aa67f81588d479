// Returns and exchanges opened by staff: the refund is shown first, and replacements are limited to the stock.
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
import { order, purchase } from '../testing'
import { PurchaseActionDialog } from './PurchaseActionDialog'
import type { ClaimAction } from './purchaseActions'

withServer()

const NOTHING = { money: 0, points: 0 }
const NO = '260302001-1'

let asked: unknown[]
let sent: unknown[]
let available: number

beforeEach(() => {
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })
  asked = []
  sent = []
  available = 5
  server.use(
    http.get('*/api/console/shop/orders/o1', () =>
      HttpResponse.json({
        order: order({ purchases: [purchase(NO, { quantity: 2, purchaseStatus: 'PURCHASE_COMPLETE' })] }),
      }),
    ),
    http.get('*/api/console/shop/purchases/:no/exchange', () =>
      HttpResponse.json({
        fee: 600,
        choices: [
          { _id: 'black', name: '블랙', ordered: true, available, difference: 0, back: NOTHING },
          {
            _id: 'white',
            name: '화이트',
            ordered: false,
            available: 1,
            difference: -300,
            price: 0,
            back: { money: 300, points: 0 },
          },
        ],
      }),
    ),
    http.post('*/api/console/shop/purchases/cancel/preview', async ({ request }) => {
      asked.push(await request.json())
      const preview = refundPreview({ reclaimed: { points: 1000, money: 200 } })
      const sums = { refund: preview.refund.amount, points: preview.points.amount }
      return HttpResponse.json({ refunds: [{ _order: 'o1', purchaseNos: [NO], preview }], sums, failed: [] })
    }),
    http.put('*/api/console/shop/purchases/:no', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({})
    }),
  )
})

async function begin(action: ClaimAction) {
  renderPage(
    <>
      <PurchaseActionDialog
        action={action}
        rows={[{ purchaseNo: NO, _order: 'o1', name: '바람 로드 105' }]}
        onClose={() => undefined}
      />
      <ConfirmHost />
    </>,
  )
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByLabelText(/사유/)
  return dialog
}

const less = () =>
  userEvent.click(within(screen.getByRole('group', { name: '수량' })).getByRole('button', { name: '수량 줄이기' }))

describe('a return', () => {
  it('shows the refund and the reclaimed amounts before it is opened', async () => {
    const dialog = await begin('requestReturn')
    expect(dialog.getByText(/구매가 확정된 상품입니다/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('radio', { name: '판매자' }))
    expect(await dialog.findByText('적립금 회수')).toBeTruthy()
    expect(dialog.getByText('사용한 적립금 차감')).toBeTruthy()
    await less()
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[1]).toEqual({ action: 'requestReturn', purchaseNos: [NO], quantity: 1, fault: 'SELLER' })
    await userEvent.type(dialog.getByLabelText(/사유/), '금이 갔습니다')
    await dialog.findByText('적립금 회수')
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '반품 접수' }))
    const { refund, points } = refundPreview()
    const shown = { refund: refund.amount, points: points.amount }
    const claim = { quantity: 1, fault: 'SELLER' }
    await waitFor(() =>
      expect(sent).toEqual([{ claimStatus: 'RETURN_REQUESTED', reason: '금이 갔습니다', claim, shown }]),
    )
  })

  it('requires a reason and the fault', async () => {
    const dialog = await begin('requestReturn')
    await userEvent.click(dialog.getByRole('button', { name: '반품 접수' }))
    expect(dialog.getByText('사유를 두 글자 이상 입력해 주세요.')).toBeTruthy()
    expect(dialog.getByText('배송비를 부담할 쪽을 선택해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('that is refused keeps the input and shows why', async () => {
    server.use(
      http.put('*/api/console/shop/purchases/:no', () =>
        HttpResponse.json({ error: { code: 'not_allowed_now', message: '이미 접수되었습니다.' } }, { status: 409 }),
      ),
    )
    const dialog = await begin('requestReturn')
    await userEvent.type(dialog.getByLabelText(/사유/), '금이 갔습니다')
    await userEvent.click(dialog.getByRole('radio', { name: '판매자' }))
    await dialog.findByText('적립금 회수')
    await userEvent.click(dialog.getByRole('button', { name: '반품 접수' }))
    expect(await dialog.findByText('이미 접수되었습니다.')).toBeTruthy()
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/사유/).value).toBe('금이 갔습니다')
  })
})

describe('an exchange', () => {
  it('is for the same goods unless an option with enough stock is chosen', async () => {
    const dialog = await begin('requestExchange')
    await dialog.findByRole('radio', { name: '블랙 · 재고 5개' })
    // One white piece is in stock, and two are exchanged.
    expect(dialog.queryByRole('radio', { name: /화이트/ })).toBeNull()
    await less()
    await userEvent.click(dialog.getByRole('radio', { name: '화이트 · -$3.00 · 재고 1개' }))
    await userEvent.click(dialog.getByRole('radio', { name: '구매자' }))
    await userEvent.type(dialog.getByLabelText(/사유/), '작아요')
    await userEvent.click(dialog.getByRole('button', { name: '교환 접수' }))
    const claim = { quantity: 1, fault: 'BUYER', _option: 'white', difference: -300 }
    await waitFor(() => expect(sent).toEqual([{ claimStatus: 'EXCHANGE_REQUESTED', reason: '작아요', claim }]))
    expect(asked).toEqual([])
  })

  it('without stock is not sent, and shows a hint', async () => {
    available = 0
    const dialog = await begin('requestExchange')
    expect(await dialog.findByText(/보낼 수 있는 재고가 없습니다/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('radio', { name: '구매자' }))
    await userEvent.type(dialog.getByLabelText(/사유/), '작아요')
    await userEvent.click(dialog.getByRole('button', { name: '교환 접수' }))
    expect(sent).toEqual([])
  })
})
