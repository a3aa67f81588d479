// A buyer sees exactly what the server allows, and a cancellation needs a reason.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { endSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { deposit, order, purchase, refundPreview } from '../../testing/shop'
import { OrderView } from '../orders-detail/OrderView'

withServer()
beforeEach(() => {
  endSession()
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} })))
})

const buttons = () => screen.queryAllByRole('button').map((button) => button.textContent)
const show = (shown: ReturnType<typeof order>) => renderPage(<OrderView order={shown} />, '/mypage/orders-detail')

describe('the buttons of an order', () => {
  it('are those of the server, and no others', () => {
    show(
      order({
        nextActions: ['requestCancel'],
        purchases: [
          purchase({ nextActions: ['cancel'] }),
          purchase({ purchaseNo: 'b', nextActions: ['confirm'] }),
          purchase({ purchaseNo: 'c', nextActions: [] }),
        ],
      }),
    )
    expect(buttons()).toEqual(['전체 취소신청', '주문취소', '구매확정'])
  })

  it('of an order with one purchase stand once, at the purchase', () => {
    show(order({ nextActions: ['pay', 'cancel'], purchases: [purchase({ nextActions: ['cancel'] })] }))
    expect(buttons()).toEqual(['결제하기', '주문취소'])
  })

  it('are none when nothing may be done, or when this screen does not know the action', () => {
    show(order({ nextActions: ['deliver'] }))
    expect(buttons()).toEqual([])
  })
})

describe('canceling', () => {
  const PREVIEW = '*/api/v1/me/orders/o1/cancel/preview'

  it('wants a reason, names the purchase, and sends the sums that were shown', async () => {
    const sent: unknown[] = []
    const asked: unknown[] = []
    server.use(
      http.post(PREVIEW, async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json({ preview: refundPreview() })
      }),
      http.post('*/api/v1/me/purchases/cancel', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ order: order() })
      }),
    )
    show(order({ purchases: [purchase({ nextActions: ['cancel'] }), purchase({ purchaseNo: 'b' })] }))
    await userEvent.click(screen.getByRole('button', { name: '주문취소' }))
    const back = within((await screen.findByRole('heading', { name: '환불 예정 내역' })).parentElement as HTMLElement)
    expect(asked).toEqual([{ _purchases: ['20261121-7KD2M9QX-1'] }])
    for (const said of [
      '바람 로드 105 · 블랙 · 1개',
      '배송비 · 택배',
      '함께 배송하는 다른 상품이 남아 있습니다.',
      '$2.00',
      '유효기간이 지난 적립금은 소멸됩니다.',
      '쿠폰 · 첫 구매 10%',
      '쿠폰함으로 돌아갑니다',
      '돌아가지 않습니다',
      '환불 금액',
    ])
      expect(back.getByText(said)).toBeTruthy()
    expect(back.getAllByText('$1,000.00')).toHaveLength(2)
    await userEvent.click(await screen.findByRole('button', { name: '취소하기' }))
    expect(screen.getByRole('alert').textContent).toBe('취소 사유를 선택해 주세요.')
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(screen.getByRole('radio', { name: '직접 입력' }))
    await userEvent.type(screen.getByLabelText('사유'), '색이 달라요')
    await userEvent.click(screen.getByRole('button', { name: '취소하기' }))
    const shown = { refund: 100000, points: 200 }
    await waitFor(() => expect(sent).toEqual([{ _purchases: ['20261121-7KD2M9QX-1'], reason: '색이 달라요', shown }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('waits for the sums, tells why there are none, and shows new ones when they have changed', async () => {
    storeGuestOrder('o1', 'guest-token')
    let previews = 0
    const sent: unknown[] = []
    server.use(
      http.post(PREVIEW, ({ request }) => {
        previews += 1
        if (request.headers.get('Authorization') !== 'Bearer guest-token')
          return new HttpResponse(null, { status: 401 })
        if (previews === 1)
          return HttpResponse.json(
            { error: { code: 'unavailable', message: '잠시 뒤 다시 시도해 주세요.' } },
            { status: 503 },
          )
        return HttpResponse.json({
          preview: refundPreview({ refund: { amount: previews * 1000, method: 'card', reason: null } }),
        })
      }),
      http.post('*/api/v1/me/orders/o1/cancel', async ({ request }) => {
        sent.push(await request.json())
        return sent.length === 1
          ? HttpResponse.json(
              { error: { code: 'refund_changed', message: '돌려드리는 금액이 바뀌었습니다. 다시 확인해 주세요.' } },
              { status: 409 },
            )
          : HttpResponse.json({ order: order() })
      }),
    )
    show(order({ nextActions: ['cancel'], purchases: [purchase({ nextActions: ['cancel'] })] }))
    await userEvent.click(screen.getByRole('button', { name: '주문취소' }))
    await screen.findByText('잠시 뒤 다시 시도해 주세요.')
    const confirm = screen.getByRole<HTMLButtonElement>('button', { name: '취소하기' })
    expect(confirm.ariaDisabled).toBe('true')
    await userEvent.click(screen.getByRole('button', { name: '다시 시도' }))
    await screen.findByText('$20.00')
    await userEvent.click(screen.getByRole('radio', { name: '배송이 늦어요' }))
    await userEvent.click(confirm)
    await screen.findByText('돌려드리는 금액이 바뀌었습니다. 다시 확인해 주세요.')
    await screen.findByText('$30.00')
    await waitFor(() => expect(confirm.ariaDisabled).toBe(null))
    await userEvent.click(confirm)
    const body = (refund: number) => ({ reason: '배송이 늦어요', shown: { refund, points: 200 } })
    await waitFor(() => expect(sent).toEqual([body(2000), body(3000)]))
  })
})

it('a cancel or a payment pressed twice is sent once, whether the server answers slowly or at once', async () => {
  for (const slow of [true, false]) {
    const sent: string[] = []
    server.use(
      http.post('*/api/*', async ({ request }) => {
        if (request.url.endsWith('/cancel/preview')) return HttpResponse.json({ preview: refundPreview() })
        sent.push(new URL(request.url).pathname)
        if (slow) await delay(50)
        if (request.url.includes('cancel')) return HttpResponse.json({ order: order() })
        return HttpResponse.json({ error: { code: 'payment_refused', message: '거절' } }, { status: 409 })
      }),
    )
    const { unmount } = show(order({ nextActions: ['pay', 'cancel'], purchases: [purchase({ nextActions: [] })] }))
    /** Twice before anything was drawn anew, or as a hand does it. */
    const twice = async (name: string) => {
      const button = screen.getByRole('button', { name })
      if (!slow) return userEvent.dblClick(button)
      for (const detail of [1, 2]) fireEvent.click(button, { detail })
    }
    await twice('결제하기')
    await waitFor(() => expect(sent).toEqual(['/api/plugins/nicepayments/generate/order']))
    await waitFor(() => expect(screen.getByRole('button', { name: '결제하기' })).toHaveProperty('ariaDisabled', null))
    await userEvent.click(screen.getByRole('button', { name: '주문취소' }))
    await userEvent.click(await screen.findByRole('radio', { name: '배송이 늦어요' }))
    await waitFor(() => expect(screen.getByRole('button', { name: '취소하기' })).toHaveProperty('ariaDisabled', null))
    await twice('취소하기')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent.slice(1)).toEqual(['/api/v1/me/orders/o1/cancel'])
    unmount()
  }
})

describe('a refund the bank refused', () => {
  it("goes to the account the buyer names, a guest's too", async () => {
    storeGuestOrder('o1', 'guest-token')
    const sent: unknown[] = []
    server.use(
      http.get('*/api/plugins/nicepayments/config', () =>
        HttpResponse.json({ config: { banks: [{ code: '004', name: '국민은행' }] } }),
      ),
      http.put('*/api/v1/me/orders/o1/refundAccount', async ({ request }) => {
        sent.push(request.headers.get('Authorization'), await request.json())
        return HttpResponse.json({ order: order() })
      }),
    )
    show(order({ payments: [deposit({ awaitsDeposit: false, needsRefundAccount: true })] }))
    await screen.findByRole('option', { name: '국민은행' })
    await userEvent.selectOptions(screen.getByLabelText(/^환불 은행/), '004')
    await userEvent.type(screen.getByLabelText(/^예금주/), '홍길동')
    await userEvent.type(screen.getByLabelText(/^환불 계좌번호/), '12345678{Enter}')
    const account = { code: '004', accountNumber: '12345678', accountHolder: '홍길동' }
    await waitFor(() => expect(sent).toEqual(['Bearer guest-token', { account }]))
  })
})
