// The order sheet: what must be typed, what the server may refuse, and the amount on the button.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession, endSession, useSession } from '../../api/session'
import type { OrderForm, Preview } from '../../api/types'
import { addToGuestCart, guestCart } from '../../features/cart/guestCart'
import { placedOrder, startCheckout } from '../../features/orders/checkoutSession'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, preview, quote, SELLERS } from '../../testing/shop'
import { Component as Order } from './index'

withServer()

const BIKE = { product: card(), quantity: 1 }
let priced: Preview
let placed: OrderForm[]
let keys: (string | null)[]

beforeEach(() => {
  endSession()
  placed = []
  keys = []
  priced = preview(quote([BIKE]))
  server.use(
    http.get('*/api/plugins/nicepayments/config', () =>
      HttpResponse.json({
        config: {
          clientId: 'c',
          scriptUrl: '/pay.js',
          methods: ['card', 'bank', 'vbank'],
          banks: [{ code: '088', name: '신한은행' }],
          depositHours: 72,
          sandbox: true,
        },
      }),
    ),
    http.get('*/api/v1/me/info', () =>
      HttpResponse.json({ user: { _id: 'u', type: 'PERSON', name: '이서연', phone: '01012345678', email: 'a@b.kr' } }),
    ),
    http.get('*/api/v1/me/destinations', () =>
      HttpResponse.json({
        destinations: [
          {
            _id: 'd1',
            title: '집',
            name: '이서연',
            phone: '01012345678',
            postcode: '06236',
            address1: '테헤란로 1',
            address2: '',
            isDefault: true,
          },
          {
            _id: 'd2',
            title: '회사',
            name: '김과장',
            phone: '01099998888',
            postcode: '04524',
            address1: '세종대로 110',
            address2: '',
            isDefault: false,
          },
        ],
      }),
    ),
    http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
      const { point = 0 } = (await request.json()) as OrderForm
      return HttpResponse.json({ ...priced, quote: quote([BIKE], Math.min(point, priced.points.usable)) })
    }),
    http.get('*/api/v1/me/carts', () => HttpResponse.json({ carts: [] })),
  )
  startCheckout({ lines: [{ _product: 'p1', quantity: 1 }] })
})

/** A server that takes the order, or refuses with `refusals` first. */
function serverThatPlaces(
  ...refusals: { code: string; message: string; details?: unknown; fields?: unknown[]; status?: number }[]
) {
  server.use(
    http.post('*/api/v1/shop/orders', async ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      placed.push((await request.json()) as OrderForm)
      const refusal = refusals.shift()
      if (refusal) return HttpResponse.json({ error: refusal }, { status: refusal.status ?? 409 })
      return HttpResponse.json({
        order: { _id: 'o1', orderNo: 'N', status: 'ORDER_PAYMENT', payable: 0, payBy: '', paymentMethod: 'free' },
        guestToken: 'g',
      })
    }),
  )
}

const member = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
const pay = async (amount = '$1,161.00') => {
  const button = await screen.findByRole('button', { name: `${amount} 결제하기` })
  await waitFor(() => expect(button).toHaveProperty('ariaDisabled', null))
  await userEvent.click(button)
}
const agree = async () => userEvent.click(await screen.findByRole('checkbox', { name: '모두 동의합니다' }))

describe('the order sheet', () => {
  it('prompts for each field in Korean, goes to the first, and sends nothing', async () => {
    serverThatPlaces()
    renderPage(<Order />, '/shop/order')
    await pay()
    for (const prompt of [
      '이름을 두 글자 이상 입력해 주세요.',
      '이메일을 올바른 형식으로 입력해 주세요.',
      '우편번호를 숫자 5자리로 입력해 주세요.',
      '주소를 입력해 주세요.',
      '필수 약관에 동의해 주세요.',
    ])
      expect(screen.getAllByText(prompt).length, prompt).toBeGreaterThan(0)
    expect(document.activeElement).toBe(screen.getByLabelText(/^이름/))
    expect(placed).toEqual([])
    expect(await a11yViolations()).toEqual([])
  })

  it("is priced once, with the member's address", async () => {
    member()
    const asked: unknown[] = []
    server.use(
      http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
        asked.push(((await request.json()) as OrderForm).receiver)
        return HttpResponse.json(priced)
      }),
    )
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    expect(asked).toEqual([{ postcode: '06236' }])
  })

  it('goes to the first of the terms nobody has agreed to, and says so beside it', async () => {
    member()
    serverThatPlaces()
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await userEvent.click(screen.getByRole('checkbox', { name: /구매에 동의합니다/ }))
    await pay()
    const [bought, privacy, others] = [/구매에 동의합니다/, /수집·이용에 동의합니다/, /제공하는 데 동의합니다/].map(
      (name) => screen.getByRole('checkbox', { name }),
    ) as [HTMLElement, HTMLElement, HTMLElement]
    expect(document.activeElement).toBe(privacy)
    expect(bought.getAttribute('aria-invalid')).toBeNull()
    for (const box of [privacy, others]) {
      const told = document.getElementById(box.getAttribute('aria-describedby') ?? '')
      expect(told?.textContent).toBe('동의가 필요합니다.')
    }
    expect(placed).toEqual([])
    expect(await a11yViolations()).toEqual([])
    await agree()
    expect(screen.queryByText('동의가 필요합니다.')).toBeNull()
    await pay()
    await waitFor(() => expect(placed[0]?._terms).toEqual(['purchase', 'privacy', 'privacy-third']))
  })

  it("fills in the member and the default address, and sends the button's amount", async () => {
    member()
    serverThatPlaces()
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await userEvent.selectOptions(screen.getByLabelText('배송메시지'), '문 앞에 놓아 주세요.')
    await agree()
    await pay()
    await waitFor(() => expect(placed).toHaveLength(1))
    expect(placed[0]).toMatchObject({
      carts: [{ _product: 'p1', quantity: 1 }],
      payable: 116100,
      sender: { name: '이서연', phone: '01012345678' },
      receiver: { postcode: '06236', address1: '테헤란로 1' },
      requestMessage: '문 앞에 놓아 주세요.',
      _terms: ['purchase', 'privacy', 'privacy-third'],
    })
    await waitFor(() => expect(screen.getByText('went to')).toBeTruthy())
    expect(placedOrder()).toBe('o1')
  })

  it('keeps what was typed through a reload, for the same person and until the order is placed', async () => {
    serverThatPlaces()
    const before = renderPage(<Order />, '/shop/order')
    await userEvent.type(await screen.findByLabelText(/^이름/), '김하늘')
    await userEvent.type(screen.getByLabelText('상세주소'), '101동 1001호')
    await userEvent.click(await screen.findByRole('radio', { name: /가상계좌/ }))
    await userEvent.type(screen.getByLabelText(/^환불 계좌번호/), '110123456789')
    await agree()
    before.unmount()

    const after = renderPage(<Order />, '/shop/order')
    expect(await screen.findByLabelText(/^이름/)).toHaveProperty('value', '김하늘')
    expect(screen.getByLabelText('상세주소')).toHaveProperty('value', '101동 1001호')
    // Neither an account's number nor a consent is written down.
    expect(await screen.findByLabelText(/^환불 계좌번호/)).toHaveProperty('value', '')
    expect(screen.getByRole('checkbox', { name: '모두 동의합니다' })).toHaveProperty('checked', false)
    expect(Object.values(sessionStorage).join()).not.toContain('110123456789')
    after.unmount()

    member()
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^이름/)).toHaveProperty('value', '이서연'))
  })

  it('keeps the people but not the points when the goods are others', async () => {
    member()
    priced = preview(quote([BIKE]), {
      points: { available: 20000, usable: 16100, conditions: [], limitedBy: [], earns: 0 },
    })
    const before = renderPage(<Order />, '/shop/order')
    await userEvent.click(await screen.findByRole('button', { name: '전액사용' }))
    await userEvent.type(screen.getByLabelText('상세주소'), '3층')
    await waitFor(() => expect(screen.getByLabelText('쓸 적립금')).not.toHaveProperty('value', ''))
    before.unmount()
    startCheckout({ lines: [{ _product: 'p1', quantity: 2 }] })
    renderPage(<Order />, '/shop/order')
    expect(await screen.findByLabelText('상세주소')).toHaveProperty('value', '3층')
    expect(screen.getByLabelText('쓸 적립금')).toHaveProperty('value', '')
  })

  it('shows the text of the terms record, and what it means that there is none', async () => {
    let isAway = true
    server.use(
      http.get('*/api/v1/terms/:code', ({ params }) => {
        if (params.code === 'privacy')
          return HttpResponse.json({ error: { code: 'not_found', message: '없습니다.' } }, { status: 404 })
        if (params.code === 'privacy-third' && isAway) return HttpResponse.json({}, { status: 400 })
        const terms = { _id: 't', code: params.code, name: '구매 조건', content: '<p>제1조 구매</p>', edition: 3 }
        return HttpResponse.json({ terms: { ...terms, startsAt: '2026-01-01T00:00:00+09:00' } })
      }),
    )
    renderPage(<Order />, '/shop/order')
    const open = async (nth: number) => userEvent.click((await screen.findAllByText('내용 보기'))[nth] as HTMLElement)
    await open(0)
    expect(await screen.findByText('제1조 구매')).toBeTruthy()
    expect(screen.getByText(/제3판/)).toBeTruthy()
    await open(1)
    expect(await screen.findByText(/별도로 정한 약관이 없습니다/)).toBeTruthy()
    await open(2)
    expect(await screen.findByText(/약관을 불러오지 못했습니다/)).toBeTruthy()
    isAway = false
    await userEvent.click(screen.getByRole('button', { name: '다시 시도' }))
    await waitFor(() => expect(screen.getAllByText('제1조 구매')).toHaveLength(2))
    expect(await a11yViolations()).toEqual([])
  })

  it('asks for the refund account of a virtual account, and for nothing of it otherwise', async () => {
    member()
    serverThatPlaces()
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    expect(screen.queryByLabelText(/^환불 계좌번호/)).toBeNull()
    await userEvent.click(await screen.findByLabelText(/가상계좌/))
    expect(screen.getByText(/72시간 안에 입금/)).toBeTruthy()
    await agree()
    await pay()
    for (const prompt of ['은행을 선택해 주세요.', '예금주를 두 글자 이상 입력해 주세요.'])
      expect(screen.getAllByText(prompt).length, prompt).toBeGreaterThan(0)
    expect(placed).toEqual([])
    await userEvent.selectOptions(screen.getByLabelText(/^환불 은행/), '088')
    await userEvent.type(screen.getByLabelText(/^예금주/), '이서연')
    await userEvent.type(screen.getByLabelText(/^환불 계좌번호/), '110-123-456789')
    expect(await a11yViolations()).toEqual([])
    await pay()
    await waitFor(() => expect(placed).toHaveLength(1))
    expect(placed[0]).toMatchObject({
      paymentMethod: 'vbank',
      account: { code: '088', accountNumber: '110123456789', accountHolder: '이서연' },
    })
  })

  it('takes an address from the list', async () => {
    member()
    renderPage(<Order />, '/shop/order')
    await userEvent.click(await screen.findByRole('button', { name: '배송지 목록' }))
    await userEvent.click(await screen.findByRole('button', { name: /회사/ }))
    expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '04524')
    expect(screen.getByLabelText(/^받는 분\*?$/)).toHaveProperty('value', '김과장')
  })

  it('uses all points at one press, as far as the server lets', async () => {
    member()
    priced = preview(quote([BIKE]), {
      points: { available: 20000, usable: 16100, conditions: [], limitedBy: [], earns: 0 },
    })
    renderPage(<Order />, '/shop/order')
    await userEvent.click(await screen.findByRole('button', { name: '전액사용' }))
    expect(await screen.findByRole('button', { name: '$1,000.00 결제하기' })).toBeTruthy()
  })

  it('uses all points after too many were typed, and none of them only when told so', async () => {
    member()
    priced = preview(quote([BIKE]), {
      points: { available: 20000, usable: 16100, conditions: [], limitedBy: [], earns: 0 },
    })
    renderPage(<Order />, '/shop/order')
    await userEvent.type(await screen.findByLabelText('쓸 적립금'), '500')
    await userEvent.click(screen.getByRole('button', { name: '전액사용' }))
    expect(await screen.findByRole('button', { name: '$1,000.00 결제하기' })).toBeTruthy()
    expect(screen.getByLabelText('쓸 적립금')).toHaveProperty('value', '161.00')
    await userEvent.click(screen.getByRole('button', { name: '전액사용' }))
    expect(screen.getByLabelText('쓸 적립금')).toHaveProperty('value', '161.00')
    await userEvent.click(screen.getByRole('button', { name: '사용 안 함' }))
    expect(await screen.findByRole('button', { name: '$1,161.00 결제하기' })).toBeTruthy()
  })

  it.each(['abc', '5x', '1.234', '-5'])(
    'keeps what is no amount of points, and orders nothing over it: %s',
    async (text) => {
      member()
      serverThatPlaces()
      priced = preview(quote([BIKE]), {
        points: { available: 20000, usable: 16100, conditions: [], limitedBy: [], earns: 0 },
      })
      const { unmount } = renderPage(<Order />, '/shop/order')
      const points = () => screen.getByLabelText<HTMLInputElement>('쓸 적립금')
      await userEvent.type(await screen.findByLabelText('쓸 적립금'), '5')
      await userEvent.tab()
      await screen.findByRole('button', { name: '$1,156.00 결제하기' })
      await userEvent.clear(points())
      await userEvent.type(points(), `${text}{Enter}`)
      expect(points().value).toBe(text)
      expect(screen.getByText('금액을 바르게 입력해 주세요. (예: 5.00)')).toBeTruthy()
      await agree()
      await pay('$1,156.00')
      expect(points().value).toBe(text)
      expect(points().getAttribute('aria-invalid')).toBe('true')
      expect(document.activeElement).toBe(points())
      expect(await a11yViolations()).toEqual([])
      // Nor by the key from elsewhere, nor after a reload.
      await userEvent.type(screen.getByLabelText(/^상세주소/), '1{Enter}')
      unmount()
      renderPage(<Order />, '/shop/order')
      await agree()
      await pay('$1,156.00')
      expect(points().value).toBe(text)
      expect(placed).toEqual([])
      await userEvent.clear(points())
      await userEvent.type(points(), '7')
      await userEvent.tab()
      expect(points().getAttribute('aria-invalid')).toBeNull()
      await pay('$1,154.00')
      await waitFor(() => expect(placed.map(({ point }) => point)).toEqual([700]))
    },
  )

  it('orders with the sum on the button once points that were no amount are given up', async () => {
    member()
    serverThatPlaces()
    priced = preview(quote([BIKE]), {
      points: { available: 20000, usable: 16100, conditions: [], limitedBy: [], earns: 0 },
    })
    renderPage(<Order />, '/shop/order')
    await userEvent.type(await screen.findByLabelText('쓸 적립금'), 'abc')
    await userEvent.click(screen.getByRole('button', { name: '사용 안 함' }))
    expect(screen.getByLabelText('쓸 적립금')).toHaveProperty('value', '')
    await agree()
    await pay()
    await waitFor(() => expect(placed.map(({ point }) => point)).toEqual([0]))
  })

  it('orders what costs nothing, and pays nothing for it', async () => {
    member()
    priced = preview(quote([BIKE]), {
      points: { available: 200000, usable: 116100, conditions: [], limitedBy: [], earns: 0 },
    })
    renderPage(<Order />, '/shop/order')
    await userEvent.click(await screen.findByRole('button', { name: '전액사용' }))
    expect(await screen.findByRole('button', { name: '주문하기' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /결제하기/ })).toBeNull()
  })

  it('says that the tax is in the price, and adds nothing up for it', async () => {
    renderPage(<Order />, '/shop/order')
    expect(await screen.findByText('부가세 포함')).toBeTruthy()
    expect(screen.queryByText(/10%/)).toBeNull()
  })

  it('splits a fare that is more than the delivery: free delivery to an island is not for nothing', async () => {
    const island = quote([BIKE])
    const fares = island.fares.map((fare) => ({ ...fare, fare: 0, islandFee: 500 }))
    server.use(
      http.post('*/api/v1/shop/orders/preview', () =>
        HttpResponse.json(preview({ ...island, fares, totals: { ...island.totals, fares: 500 } })),
      ),
    )
    renderPage(<Order />, '/shop/order')
    expect(await screen.findByText('무료배송 + 제주·도서산간 추가 배송비 $5.00')).toBeTruthy()
  })

  it('sends the cart of this browser, and leads to the order when another window was faster', async () => {
    addToGuestCart({ _product: 'p1', quantity: 1 })
    const cart = guestCart()
    startCheckout({ lines: [{ _product: 'p1', quantity: 1 }], guestCart: cart })
    member()
    serverThatPlaces({
      code: 'cart_ordered',
      message: '이미 주문한 장바구니 상품입니다. 주문번호 20261121-AAAA에서 확인해 주세요.',
      details: { _order: 'o9', orderNo: '20261121-AAAA' },
    })
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await agree()
    await pay()
    expect(await screen.findByText(/이미 주문한 장바구니 상품입니다/)).toBeTruthy()
    const link = screen.getByRole('link', { name: '주문 보기' })
    expect(link.getAttribute('href')).toBe('/mypage/orders-detail?order=o9')
    expect(placed[0]?._cart).toBe(cart)
    // What is ordered from now on is of another cart.
    expect(guestCart()).not.toBe(cart)
  })

  it('calls its cart something else after each order, and takes what was ordered out of it', async () => {
    addToGuestCart({ _product: 'p1', quantity: 1 })
    addToGuestCart({ _product: 'p2', quantity: 1 })
    const cart = guestCart()
    startCheckout({ lines: [{ _product: 'p1', quantity: 1 }], guestCart: cart })
    member()
    serverThatPlaces()
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await agree()
    await pay()
    await waitFor(() => expect(placedOrder()).toBe('o1'))
    expect(placed[0]?._cart).toBe(cart)
    expect(useSession.getState().carts.map((line) => line._product)).toEqual(['p2'])
    expect(guestCart()).not.toBe(cart)
  })

  it('leads to the order from a sheet whose cart was ordered before it opened', async () => {
    server.use(
      http.post('*/api/v1/shop/orders/preview', () =>
        HttpResponse.json(
          { error: { code: 'cart_ordered', message: '주문번호 N에서 확인해 주세요.', details: { _order: 'o9' } } },
          { status: 409 },
        ),
      ),
    )
    renderPage(<Order />, '/shop/order')
    const link = await screen.findByRole('link', { name: '주문 보기' })
    expect(link.getAttribute('href')).toBe('/shop/lookup?order=o9')
    expect(await a11yViolations()).toEqual([])
  })

  it('writes an order anew with the people of the last one', async () => {
    const people = {
      sender: { name: '박손님', phone: '01055556666', email: 'p@example.com' },
      receiver: { name: '최받음', phone: '01077778888', postcode: '63000', address1: '제주시 1', address2: '2층' },
      message: '문 앞에 놓아 주세요.',
    }
    startCheckout({ lines: [{ _product: 'p1', quantity: 1 }], people })
    renderPage(<Order />, '/shop/order')
    expect(await screen.findByLabelText(/^우편번호/)).toHaveProperty('value', '63000')
    expect(screen.getByLabelText(/^이름/)).toHaveProperty('value', '박손님')
    expect(screen.getByLabelText('상세주소')).toHaveProperty('value', '2층')
  })

  it('shows the new amount when the price has changed, and sends that with a new key', async () => {
    member()
    const dearer = quote([{ product: card({ salePrice: 120000 }), quantity: 1 }])
    serverThatPlaces({ code: 'price_changed', message: '결제 금액이 변경되었습니다.', details: { quote: dearer } })
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await agree()
    await pay()
    expect(await screen.findByText(/새 결제금액은 \$1,200.00입니다/)).toBeTruthy()
    await pay('$1,200.00')
    await waitFor(() => expect(placed).toHaveLength(2))
    expect(placed[1]?.payable).toBe(120000)
    expect(keys[0]).not.toBe(keys[1])
  })

  it('says what to do when something is sold out', async () => {
    member()
    serverThatPlaces({ code: 'sold_out', message: '품절되었거나 재고가 부족한 상품이 있습니다.' })
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await agree()
    await pay()
    expect(await screen.findByText(/품절되었거나/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '장바구니로 가기' }).getAttribute('href')).toBe('/cart')
  })

  it('says that what is ordered has left the cart, and leads there', async () => {
    member()
    serverThatPlaces({ code: 'not_found', message: '요청하신 정보를 찾을 수 없습니다.', status: 404 })
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await agree()
    await pay()
    expect(await screen.findByText(/장바구니에 없습니다/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '장바구니로 가기' }).getAttribute('href')).toBe('/cart')
  })

  it("puts the server's prompts at their fields", async () => {
    member()
    const fields = [{ field: 'receiver.phone', code: 'phone', message: '받는 분 번호가 이상합니다.' }]
    serverThatPlaces({ code: 'invalid', message: '확인해 주세요.', fields, status: 400 })
    renderPage(<Order />, '/shop/order')
    await waitFor(() => expect(screen.getByLabelText(/^우편번호/)).toHaveProperty('value', '06236'))
    await agree()
    await pay()
    expect(await screen.findByText('받는 분 번호가 이상합니다.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText(/^받는 분 휴대폰 번호/))
  })
})

describe('a fare by distance', () => {
  it('asks where the goods go, says why it may not know, and prices the order from there', async () => {
    const asked: OrderForm[] = []
    const byDistance = quote([BIKE])
    server.use(
      http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
        const form = (await request.json()) as OrderForm
        asked.push(form)
        const field = { field: 'receiver.geolocation', code: 'distance_unknown', message: '위치정보를 다시 입력하세요' }
        if (!form.receiver?.geolocation)
          return HttpResponse.json({ error: { code: 'invalid', message: 'x', fields: [field] } }, { status: 400 })
        const fares = byDistance.fares.map((fare) => ({ ...fare, chargeType: 'travel-range' }))
        return HttpResponse.json({ ...priced, quote: { ...byDistance, fares } })
      }),
    )
    let here: GeolocationPosition | undefined
    const getCurrentPosition: Geolocation['getCurrentPosition'] = (found, refused) =>
      here ? found(here) : refused?.({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError)
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } })
    renderPage(<Order />, '/shop/order')
    expect(await screen.findByText('위치정보를 다시 입력하세요')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '현재 위치 입력' }))
    expect(await screen.findByText('위치 권한을 허용하신뒤 다시 시도 해 주세요.')).toBeTruthy()
    here = { coords: { latitude: 37.5665, longitude: 126.978 } } as GeolocationPosition
    await userEvent.click(screen.getByRole('button', { name: '현재 위치 입력' }))
    expect(await screen.findByRole('button', { name: '$1,161.00 결제하기' })).toBeTruthy()
    expect(asked.at(-1)?.receiver).toEqual({ geolocation: { latitude: 37.57, longitude: 126.98 } })
    expect(screen.getByRole('button', { name: '현재 위치 다시 입력' })).toBeTruthy()
  })
})

describe('fare coupons', () => {
  it('are chosen for each parcel, and one paper is never on two', async () => {
    member()
    const PUMP = { product: card({ _id: 'p2', name: '펌프', salePrice: 1000, seller: SELLERS.juice }), quantity: 1 }
    const asked: OrderForm[] = []
    const coupon = (_issued: string, ...applicable: string[]) => ({
      _issued,
      name: `쿠폰 ${_issued}`,
      stage: 'fare' as const,
      applicable,
      takes: [...applicable.map((purchaseNo) => ({ purchaseNo, amount: 300 })), { amount: 300 * applicable.length }],
    })
    const coupons = [coupon('a', '1', '2'), coupon('b', '2')]
    server.use(
      http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
        asked.push((await request.json()) as OrderForm)
        return HttpResponse.json(preview(quote([BIKE, PUMP]), { coupons }))
      }),
    )
    renderPage(<Order />, '/shop/order')
    const bike = await screen.findByLabelText(`배송비 쿠폰 · ${BIKE.product.name}`)
    const pump = screen.getByLabelText('배송비 쿠폰 · 펌프')
    await userEvent.selectOptions(bike, 'a')
    await userEvent.selectOptions(pump, 'b')
    const both = [
      { _issued: 'a', purchaseNo: '1' },
      { _issued: 'b', purchaseNo: '2' },
    ]
    await waitFor(() => expect(asked.at(-1)?.coupons).toEqual(both))
    await userEvent.selectOptions(pump, 'a')
    await waitFor(() => expect(asked.at(-1)?.coupons).toEqual([{ _issued: 'a' }]))
  })
})

describe('coupons', () => {
  it('say what they take off, the best first and offered, and that none is used', async () => {
    member()
    const coupon = (_issued: string, amount: number) => ({
      _issued,
      name: `쿠폰 ${_issued}`,
      stage: 'total' as const,
      applicable: ['1'],
      takes: [{ amount }],
    })
    const useless = { ...coupon('c', 0), applicable: [], takes: [], why: 'below_minimum' as const }
    priced = preview(quote([BIKE]), { coupons: [coupon('a', 300), useless, coupon('b', 1200)] })
    renderPage(<Order />, '/shop/order')
    const select = await screen.findByLabelText('주문 쿠폰')
    const shown = [...select.querySelectorAll('option')].map((option) => option.textContent)
    expect(shown).toEqual(['적용 안 함', '쿠폰 b (-$12.00)', '쿠폰 a (-$3.00)', '쿠폰 c (최소 금액에 못 미침)'])
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '최대 할인 쿠폰 적용: 쿠폰 b (-$12.00)' }))
    expect(document.activeElement).toBeInstanceOf(HTMLSelectElement)
    expect(select).toHaveProperty('value', 'b')
    expect(screen.queryByRole('button', { name: /최대 할인 쿠폰/ })).toBeNull()
  })
})
