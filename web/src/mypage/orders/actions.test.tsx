// A buyer sees exactly the actions the server allows, and withdraws a claim after confirmation.
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { setNotifier } from '../../api/notify'
import { type AppQueryClient, queryClient } from '../../api/queryClient'
import { endSession, useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { deposit, exchangeClaim, feeAsked, order, purchase } from '../../testing/shop'
import { ConfirmHost } from '../../ui/confirm'
import { Toasts } from '../../ui/toast'
import { OrderView } from '../orders-detail/OrderView'

withServer()
beforeEach(() => {
  endSession()
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} })))
})

const show = (shown: ReturnType<typeof order>, client?: AppQueryClient) =>
  renderPage(
    <>
      <OrderView order={shown} />
      <ConfirmHost />
      <Toasts />
    </>,
    '/mypage/orders-detail',
    client,
  )
/** All buttons and links except those to the goods. */
const acts = () =>
  [...document.querySelectorAll('main button, main a, section button, section a')]
    .filter((one) => !one.textContent?.endsWith('상품 보기'))
    .map((one) => one.textContent)
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

describe('the buttons of an order', () => {
  it('are exactly those of the server', () => {
    show(
      order({
        nextActions: ['requestCancel'],
        purchases: [
          purchase({ purchaseNo: 'a', nextActions: ['cancel'] }),
          purchase({ purchaseNo: 'b', nextActions: ['confirm', 'requestReturn'] }),
          purchase({ purchaseNo: 'c', nextActions: [] }),
        ],
      }),
    )
    expect(acts()).toEqual(['전체 취소신청', '주문취소', '구매확정', '반품신청'])
    expect(hrefOf('전체 취소신청')).toBe('/mypage/orders/cancel-application?order=o1')
    expect(hrefOf('주문취소')).toBe('/mypage/orders/cancel-application?order=o1&purchase=a')
    expect(hrefOf('반품신청')).toBe('/mypage/orders/return-application?order=o1&purchase=b')
  })

  it('of an unpaid order with one purchase are shown once, at the purchase', () => {
    show(order({ status: 'ORDER_NONPAYMENT', nextActions: ['pay', 'cancel'], purchases: [purchase()] }))
    const all = acts()
    expect(all.filter((act) => act === '결제하기' || act === '주문취소')).toEqual(['결제하기', '주문취소'])
    expect(all).not.toContain('전체 주문취소')
  })

  it('of a paid order are not those of its only visible purchase: a list may show only some', () => {
    show(order({ nextActions: ['requestCancel'], purchases: [purchase({ nextActions: ['requestReturn'] })] }))
    expect(acts()).toEqual(['반품신청'])
  })

  it('are none when nothing is allowed, or when this screen does not know the action', () => {
    show(order({ nextActions: ['deliver'] }))
    expect(acts()).toEqual([])
  })
})

describe('withdrawing', () => {
  const asked = { _id: 'k1', kind: 'CANCEL' as const, reason: '배송이 늦어요', forStaff: false, feeDue: false }
  const claimed = (purchaseNo: string) =>
    purchase({ purchaseNo, claim: asked, claimStatus: 'CANCEL_REQUESTED', nextActions: ['withdrawClaim'] })
  let sent: unknown[]
  beforeEach(() => {
    sent = []
    server.use(
      http.post('*/api/v1/me/purchases/:no/withdraw', async ({ request, params }) => {
        sent.push([params.no, await request.text(), request.headers.get('Authorization')])
        return HttpResponse.json({ order: order() })
      }),
    )
  })

  it('needs confirmation, which lists the other goods of the claim, and runs once', async () => {
    storeGuestOrder('o1', 'guest-token')
    show(order({ purchases: [claimed('a'), claimed('b'), purchase({ purchaseNo: 'c' })] }))
    await userEvent.click(screen.getAllByRole('button', { name: '신청 철회' })[1] as HTMLElement)
    const question = within(await screen.findByRole('alertdialog', { name: '취소 신청을 철회할까요?' }))
    expect(question.getByText(/함께 신청한 다른 상품 1건/)).toBeTruthy()
    expect(sent).toEqual([])
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(question.getByRole('button', { name: '신청 철회' }))
    expect(await screen.findByText('신청을 철회했습니다.')).toBeTruthy()
    expect(sent).toEqual([['b', '', 'Bearer guest-token']])
  })

  it('does not happen without confirmation', async () => {
    show(order({ purchases: [claimed('a')] }))
    await userEvent.click(screen.getByRole('button', { name: '신청 철회' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.queryByText(/함께 신청한/)).toBeNull()
    await userEvent.click(question.getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(sent).toEqual([])
  })

  it('shows why it is refused', async () => {
    server.use(
      http.post('*/api/v1/me/purchases/:no/withdraw', () =>
        HttpResponse.json({ error: { code: 'not_allowed_now', message: '이미 수거했습니다.' } }, { status: 409 }),
      ),
    )
    const told = new Promise<string>(setNotifier)
    show(order({ purchases: [claimed('a')] }), queryClient)
    await userEvent.click(screen.getByRole('button', { name: '신청 철회' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '신청 철회' }))
    expect(await told).toBe('이미 수거했습니다.')
  })
})

it('a double click on pay sends one payment, whether the server responds slowly or at once', async () => {
  for (const slow of [true, false]) {
    const sent: string[] = []
    server.use(
      http.post('*/api/*', async ({ request }) => {
        sent.push(new URL(request.url).pathname)
        if (slow) await delay(50)
        return HttpResponse.json({ error: { code: 'payment_refused', message: '거절' } }, { status: 409 })
      }),
    )
    const { unmount } = show(
      order({ status: 'ORDER_NONPAYMENT', nextActions: ['pay'], purchases: [purchase({ nextActions: [] })] }),
    )
    const button = screen.getByRole('button', { name: '결제하기' })
    // Twice before the next render, or like a human.
    if (slow) for (const detail of [1, 2]) fireEvent.click(button, { detail })
    else await userEvent.dblClick(button)
    await waitFor(() => expect(sent).toEqual(['/api/plugins/nicepayments/generate/order']))
    await waitFor(() => expect(button).toHaveProperty('ariaDisabled', null))
    unmount()
  }
})

describe('a refund the bank refused', () => {
  it("is sent to the account the buyer names, a guest's too", async () => {
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

  it('asks for the account that the fee of a rejected exchange goes back to', async () => {
    const feeTransfer = { _refund: 'r1', amount: 600, sent: false, needsAccount: true, account: null }
    const rejected = (needsAccount: boolean) => {
      const exchange = { ...feeAsked({ status: 'PAY_CANCELED' }), feeTransfer: { ...feeTransfer, needsAccount } }
      return order({ claims: [exchangeClaim({ state: 'REJECTED', exchange })] })
    }
    show(rejected(true))
    expect(await screen.findByText(/계좌로 보내신 교환 배송비를 환불해 드립니다/)).toBeTruthy()
    cleanup()
    show(rejected(false))
    expect(await screen.findByText('20261121-7KD2M9QX')).toBeTruthy()
    expect(screen.queryByText(/환불받을 계좌/)).toBeNull()
  })

  it('needs the current password of a member', async () => {
    useSession.setState({ accessToken: 'a', payload: { _user: 'm1', userType: 'PERSON', scope: [] } })
    const sent: unknown[] = []
    server.use(
      http.get('*/api/plugins/nicepayments/config', () =>
        HttpResponse.json({ config: { banks: [{ code: '004', name: '국민은행' }] } }),
      ),
      http.put('*/api/v1/me/orders/o1/refundAccount', async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>
        sent.push(body)
        if (body['currentPassword'] === 'abcd123!') return HttpResponse.json({ order: order() })
        const fields = [
          { field: 'currentPassword', code: 'current_password', message: '현재 비밀번호를 확인해 주세요.' },
        ]
        return HttpResponse.json(
          { error: { code: 'invalid', message: '확인', fields, requestId: 'r' } },
          { status: 400 },
        )
      }),
    )
    show(order({ payments: [deposit({ awaitsDeposit: false, needsRefundAccount: true })] }))
    await screen.findByRole('option', { name: '국민은행' })
    await userEvent.selectOptions(screen.getByLabelText(/^환불 은행/), '004')
    await userEvent.type(screen.getByLabelText(/^예금주/), '홍길동')
    await userEvent.type(screen.getByLabelText(/^환불 계좌번호/), '12345678{Enter}')
    expect(await screen.findByText('현재 비밀번호를 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    const current = screen.getByLabelText(/^현재 비밀번호/)
    await userEvent.type(current, 'wrong12!{Enter}')
    expect(await screen.findByText('현재 비밀번호를 확인해 주세요.')).toBeTruthy()
    await userEvent.clear(current)
    await userEvent.type(current, 'abcd123!{Enter}')
    const account = { code: '004', accountNumber: '12345678', accountHolder: '홍길동' }
    await waitFor(() => expect(sent.at(-1)).toEqual({ account, currentPassword: 'abcd123!' }))
  })
})
