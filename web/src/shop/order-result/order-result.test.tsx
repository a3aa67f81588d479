// The result page: it polls until the result is known, and offers alternatives when the payment failed.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { beginSession, endSession, useSession } from '../../api/session'
import { readCheckout } from '../../features/orders/checkoutSession'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, deposit, exchangeClaim, feeAsked, order, purchase, quote } from '../../testing/shop'
import { ConfirmHost } from '../../ui/confirm'
import { Component as Result } from './index'

withServer()
beforeEach(() => endSession())

const ResultPage = () => (
  <>
    <Result />
    <ConfirmHost />
  </>
)
const UNPAID = order({ status: 'ORDER_NONPAYMENT', nextActions: ['pay', 'cancel'] })
const member = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

function answers(...given: ReturnType<typeof order>[]) {
  const seen: (string | null)[] = []
  server.use(
    http.post('*/api/v1/shop/orders/o1/process', ({ request }) => {
      seen.push(request.headers.get('Authorization'))
      return HttpResponse.json({ order: given.length > 1 ? given.shift() : given[0] })
    }),
  )
  return seen
}

describe('/shop/result', () => {
  it('polls until the order is paid', async () => {
    member()
    const seen = answers(UNPAID, UNPAID, order())
    renderPage(<Result />, '/shop/result?order=o1')
    expect(await screen.findByRole('heading', { level: 1, name: '결제를 확인하고 있습니다' })).toBeTruthy()
    const done = { level: 1, name: '주문이 완료되었습니다' }
    expect(await screen.findByRole('heading', done, { timeout: 5000 })).toBeTruthy()
    expect(seen).toHaveLength(3)
    expect(screen.getByText('20261121-7KD2M9QX')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  }, 10_000)

  it('shows a fare, so that the lines add up to the amount paid', async () => {
    member()
    const priced = quote([{ product: card(), quantity: 1 }])
    const fares = priced.fares.map((fare) => ({ ...fare, fare: 300, paid: 300 }))
    answers(order({ payable: 116400, purchases: [purchase({ paid: 116100 })], fares }))
    renderPage(<Result />, '/shop/result?order=o1')
    await screen.findByRole('heading', { level: 1, name: '주문이 완료되었습니다' })
    const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
    expect(lines).toEqual([expect.stringMatching(/\$1,161\.00$/), '배송비$3.00'])
    expect(screen.getByText('결제금액').parentElement?.textContent).toBe('결제금액$1,164.00')
  })

  it('shows that the payment was refused and offers a retry', async () => {
    member()
    const seen = answers(UNPAID)
    renderPage(<Result />, '/shop/result?order=o1&error=payment_refused')
    expect(await screen.findByRole('heading', { level: 1, name: '결제가 완료되지 않았습니다' })).toBeTruthy()
    expect(screen.getByText(/승인하지 않았습니다/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '다시 결제하기' })).toBeTruthy()
    expect(seen).toHaveLength(1)
  })

  it('does not ask for payment of a canceled order', async () => {
    member()
    answers(order({ status: 'ORDER_CANCELED' }))
    renderPage(<Result />, '/shop/result?order=o1&error=window_closed')
    expect(await screen.findByRole('heading', { level: 1, name: '취소된 주문입니다' })).toBeTruthy()
    expect(screen.getByText('주문 금액')).toBeTruthy()
    expect(screen.queryByText('결제할 금액')).toBeNull()
  })

  it('offers a retry after the window was left, and trusts the server if the payment succeeded', async () => {
    member()
    answers(UNPAID)
    let opened = 0
    Object.assign(window, { AUTHNICE: { requestPay: () => (opened += 1) } })
    server.use(
      http.post('*/api/plugins/nicepayments/generate/order', () =>
        HttpResponse.json({ payment: { _id: 'p1', scriptUrl: 'about:blank' } }),
      ),
    )
    const added = vi.spyOn(document.head, 'append').mockImplementation((script) => {
      queueMicrotask(() => (script as HTMLScriptElement).onload?.(new Event('load')))
    })
    renderPage(<Result />, '/shop/result?order=o1&error=payment_refused')
    const again = await screen.findByRole('button', { name: '다시 결제하기' })
    fireEvent.click(again)
    await waitFor(() => expect(opened).toBe(1))
    expect(again).toHaveProperty('ariaDisabled', 'true')
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
    await waitFor(() => expect(again).toHaveProperty('ariaDisabled', null))
    expect(screen.getByRole('alert').textContent).toBe('결제창이 닫혔습니다.')

    answers(order())
    fireEvent.click(screen.getByRole('button', { name: '결제 확인' }))
    expect(await screen.findByRole('heading', { level: 1, name: '주문이 완료되었습니다' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    added.mockRestore()
  })

  it('shows the account for the deposit, with its number to copy, and stops asking the payment service', async () => {
    member()
    server.use(
      http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: now })),
      http.get('*/api/plugins/nicepayments/config', () =>
        HttpResponse.json({ config: { scriptUrl: 'http://pay.example/v1/js/', methods: ['vbank'], sandbox: true } }),
      ),
    )
    const waiting = order({
      status: 'ORDER_NONPAYMENT',
      paymentMethod: 'vbank',
      depositor: '이서연',
      nextActions: ['pay', 'cancel'],
      payments: [deposit()],
    })
    let now = waiting
    const seen = answers(waiting)
    renderPage(<Result />, '/shop/result?order=o1')
    expect(await screen.findByRole('heading', { level: 1, name: '입금을 기다리고 있습니다' })).toBeTruthy()
    expect(screen.getByText('56211105948400')).toBeTruthy()
    expect(screen.getByText('신한은행')).toBeTruthy()
    const copied: string[] = []
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    fireEvent.click(screen.getByRole('button', { name: '계좌번호 복사' }))
    await waitFor(() => expect(copied).toEqual(['56211105948400']))
    const bank = await screen.findByRole('link', { name: /체험용 은행/ })
    expect(bank.getAttribute('href')).toBe('http://pay.example/pay/accounts?number=56211105948400')
    expect(await a11yViolations()).toEqual([])
    now = order({ paymentMethod: 'vbank', version: 2 })
    fireEvent(window, new Event('visibilitychange'))
    expect(await screen.findByRole('heading', { level: 1, name: '주문이 완료되었습니다' })).toBeTruthy()
    expect(screen.queryByText('56211105948400')).toBeNull()
    expect(seen).toHaveLength(1)
  })

  it('shows that the window was closed, for the order in the address', async () => {
    member()
    answers(UNPAID)
    renderPage(<Result />, '/shop/result?order=o1&error=window_closed')
    expect(await screen.findByRole('button', { name: '다시 결제하기' })).toBeTruthy()
    expect(screen.getByText(/결제창이 닫혔습니다/)).toBeTruthy()
    expect(screen.getByText('20261121-7KD2M9QX')).toBeTruthy()
  })

  it("offers another payment method, and moving the items back to a guest's cart", async () => {
    storeGuestOrder('o1', 'guest-token')
    answers(UNPAID)
    const methods: unknown[] = []
    const keys: (string | null)[] = []
    const config = { scriptUrl: '/pay.js', methods: ['card', 'bank', 'vbank'], sandbox: false }
    server.use(
      http.get('*/api/plugins/nicepayments/config', () => HttpResponse.json({ config })),
      http.post('*/api/plugins/nicepayments/generate/order', async ({ request }) => {
        methods.push(((await request.json()) as { method: string }).method)
        return HttpResponse.json({ error: { code: 'not_allowed_now', message: '지금은 안 됩니다.' } }, { status: 409 })
      }),
      http.post('*/api/v1/me/orders/o1/cart', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'))
        expect(request.headers.get('Authorization')).toBe('Bearer guest-token')
        if (keys.length === 1) return HttpResponse.error()
        return HttpResponse.json({ order: order({ status: 'ORDER_CANCELED' }), _carts: [] })
      }),
    )
    renderPage(<ResultPage />, '/shop/result?order=o1&error=payment_refused')
    const select = await screen.findByLabelText('다른 결제수단')
    expect([...select.querySelectorAll('option')].map((option) => option.textContent)).toEqual(['실시간 계좌이체'])
    fireEvent.click(screen.getByRole('button', { name: '이 수단으로 결제' }))
    expect(await screen.findByText('지금은 안 됩니다.')).toBeTruthy()
    expect(methods).toEqual(['bank'])
    expect(await a11yViolations()).toEqual([])

    for (let press = 1; press <= 2; press += 1) {
      fireEvent.click(screen.getByRole('button', { name: '장바구니에 다시 담기' }))
      fireEvent.click(await screen.findByRole('button', { name: '다시 담기' }))
      await waitFor(() => expect(keys).toHaveLength(press))
      if (press === 1) expect(await screen.findAllByRole('alert')).toHaveLength(2)
    }
    await waitFor(() => expect(useSession.getState().carts).toHaveLength(1))
    expect(useSession.getState().carts[0]).toMatchObject({
      _product: 'p1',
      quantity: 1,
      note: { name: '바람 로드 105' },
    })
    expect(keys[0]).toBe(keys[1])
  })

  it("opens the checkout with the lines that are back in a member's cart", async () => {
    member()
    answers(UNPAID)
    server.use(
      http.get('*/api/plugins/nicepayments/config', () =>
        HttpResponse.json({ config: { scriptUrl: '/pay.js', methods: ['card'], sandbox: false } }),
      ),
      http.post('*/api/v1/me/orders/o1/cart', () =>
        HttpResponse.json({ order: order({ status: 'ORDER_CANCELED' }), _carts: ['c1'] }),
      ),
    )
    renderPage(<ResultPage />, '/shop/result?order=o1&error=payment_refused')
    fireEvent.click(await screen.findByRole('button', { name: '주문 내용 변경' }))
    fireEvent.click(await screen.findByRole('button', { name: '주문서 열기' }))
    await waitFor(() => expect(readCheckout()).toMatchObject({ carts: ['c1'] }))
    expect(useSession.getState().carts).toEqual([])
  })

  it('polls while the result of the payment is unknown', async () => {
    member()
    const seen = answers(UNPAID, order())
    renderPage(<Result />, '/shop/result?order=o1&error=unavailable')
    const done = { level: 1, name: '주문이 완료되었습니다' }
    expect(await screen.findByRole('heading', done, { timeout: 5000 })).toBeTruthy()
    expect(seen).toHaveLength(2)
  }, 10_000)

  it('shows the method of the payment, not the one the order was placed with', async () => {
    member()
    const tried = deposit({ method: 'card', status: 'PAYMENT_CANCELED', awaitsDeposit: false, account: undefined })
    answers(order({ payments: [tried, { ...tried, _id: 'y2', method: 'bank', status: 'PAYMENT_COMPLETED' }] }))
    renderPage(<Result />, '/shop/result?order=o1')
    expect(await screen.findByText('실시간 계좌이체')).toBeTruthy()
    expect(screen.queryByText('신용·체크카드')).toBeNull()
  })

  it('trusts the server and not the address: a paid order is paid', async () => {
    member()
    answers(order())
    renderPage(<Result />, '/shop/result?order=o1&error=payment_refused')
    expect(await screen.findByRole('heading', { level: 1, name: '주문이 완료되었습니다' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '다시 결제하기' })).toBeNull()
  })

  it('finds the order of a closed window, although the service does not name it', async () => {
    member()
    answers(UNPAID)
    sessionStorage.setItem('jangbu.paying', '"o1"')
    renderPage(<Result />, '/shop/result?error=not_found')
    expect(await screen.findByRole('button', { name: '다시 결제하기' })).toBeTruthy()
    expect(screen.getByText(/결제창이 닫혔거나/)).toBeTruthy()
  })

  it.each([
    ['a guest', endSession, ['비회원 주문조회', '주문 내역']],
    ['a member', member, ['주문 내역', '비회원 주문조회']],
  ])('links %s to their orders when it knows of none', async (_who, become, ways) => {
    become()
    renderPage(<Result />, '/shop/result')
    expect(await screen.findByText(`${ways[0]}에서 결과를 확인해 주세요.`)).toBeTruthy()
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(ways)
  })

  it("opens a guest's order with the token stored in this browser", async () => {
    storeGuestOrder('o1', 'guest-token')
    const seen = answers(order())
    renderPage(<Result />, '/shop/result?order=o1')
    await screen.findByRole('heading', { level: 1, name: '주문이 완료되었습니다' })
    expect(seen).toEqual(['Bearer guest-token'])
    expect(screen.getByRole('link', { name: '주문 상세' }).getAttribute('href')).toBe('/shop/lookup?order=o1')
  })
})

describe('/shop/result of the fee of an exchange', () => {
  const PAGE = '/shop/result?order=o1&claim=k1'
  const asked = (pay: Parameters<typeof feeAsked>[0] = {}) =>
    order({ claims: [exchangeClaim({ _id: 'k1', state: 'ACCEPTED', exchange: feeAsked(pay) })] })

  it('shows that it is paid, and by which method, and links back to the exchange', async () => {
    member()
    answers(asked({ status: 'PAY_COMPLETED', _payment: 'p2', method: 'card' }))
    renderPage(<Result />, PAGE)
    expect(await screen.findByRole('heading', { level: 1, name: '교환 배송비를 결제했습니다' })).toBeTruthy()
    expect(screen.getByText('결제 완료 (신용·체크카드)')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /결제$/ })).toBeNull()
    expect(screen.getByRole('link', { name: '교환 상세' }).getAttribute('href')).toBe(
      '/mypage/orders/exchange-detail?order=o1&claim=k1',
    )
    expect(await a11yViolations()).toEqual([])
  })

  it('shows why it failed, and offers a retry', async () => {
    member()
    answers(asked())
    renderPage(<Result />, `${PAGE}&error=window_closed`)
    expect(await screen.findByRole('heading', { level: 1, name: '교환 배송비가 결제되지 않았습니다' })).toBeTruthy()
    expect(screen.getByText('결제창이 닫혔습니다.')).toBeTruthy()
    expect(screen.getByRole('button', { name: '교환 배송비 $6.00 결제' })).toBeTruthy()
  })

  it('shows that nothing is due once the exchange is over', async () => {
    member()
    answers(asked({ status: 'PAY_CANCELED' }))
    renderPage(<Result />, `${PAGE}&error=not_allowed_now`)
    expect(await screen.findByRole('heading', { level: 1, name: '결제할 교환 배송비가 없습니다' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /결제$/ })).toBeNull()
  })
})
