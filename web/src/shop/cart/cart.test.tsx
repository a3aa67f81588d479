// The cart: groups with their fares, sequential quantity updates, sums from the server.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { toast as sonner } from 'sonner'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginSession, endSession, useSession } from '../../api/session'
import type { CartLine, OrderForm } from '../../api/types'
import { Component as MyCart } from '../../app/pages/MyCart'
import { addToGuestCart, guestCart } from '../../features/cart/guestCart'
import { readCheckout } from '../../features/orders/checkoutSession'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, detail, preview, quote, SELLERS } from '../../testing/shop'
import { Toasts } from '../../ui/toast'
import { Component as GuestCart } from './guest'
import { Component as MemberCart } from './index'

withServer()

const GOODS = {
  p1: detail(),
  p2: detail({ _id: 'p2', name: '관악 하드테일', salePrice: 67150, price: 67150 }),
  p3: detail({ _id: 'p3', name: '당근 착즙주스', salePrice: 500, price: 500, seller: SELLERS.juice, stock: 40 }),
  p4: detail({ _id: 'p4', name: '다 팔린 주스', seller: SELLERS.juice, stock: 0, soldOut: true }),
}
const line = (_id: string, product: keyof typeof GOODS, quantity = 1): CartLine => {
  const { salePrice, soldOut, stock } = GOODS[product]
  return { _id, _product: product, quantity, product: card(GOODS[product]), salePrice, soldOut, stock }
}

let lines: CartLine[]
let writes: string[]

beforeEach(() => {
  endSession()
  lines = [line('c1', 'p1'), line('c2', 'p3', 2), line('c3', 'p2'), line('c4', 'p4')]
  writes = []
  server.use(
    http.get('*/api/v1/me/carts', () => HttpResponse.json({ carts: lines })),
    http.put('*/api/v1/me/carts/:id', async ({ params, request }) => {
      const { quantity } = (await request.json()) as { quantity: number }
      await delay(40)
      writes.push(`${params.id}=${quantity}`)
      lines = lines.map((one) => (one._id === params.id ? { ...one, quantity } : one))
      return HttpResponse.json({})
    }),
    http.get('*/api/v1/shop/products/:id', ({ params }) =>
      HttpResponse.json({ product: GOODS[params.id as keyof typeof GOODS] }),
    ),
    http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
      const { _carts = [], carts = [] } = (await request.json()) as OrderForm
      const wanted = [
        ..._carts.flatMap((id) =>
          lines
            .filter((one) => one._id === id)
            .map(({ product, quantity }) => ({ product: product ?? card(), quantity })),
        ),
        ...carts.map((one) => ({
          product: card(GOODS[one._product as keyof typeof GOODS]),
          quantity: one.quantity ?? 0,
        })),
      ]
      return HttpResponse.json(preview(quote(wanted)))
    }),
  )
})

afterEach(() => {
  sonner.dismiss()
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

describe("a member's cart", () => {
  it('shows which products need a position for their fare, and links to the checkout, which asks for it', async () => {
    logIn()
    const field = { field: 'receiver.geolocation', code: 'distance_unknown', message: '위치정보를 다시 입력하세요' }
    const error = { code: 'invalid', message: 'x', fields: [field], details: { purchaseNos: ['2'] } }
    server.use(http.post('*/api/v1/shop/orders/preview', () => HttpResponse.json({ error }, { status: 400 })))
    renderPage(<MemberCart />, '/cart')
    expect(await screen.findByText(/주문서에서 위치를 입력하면 금액을 알려 드립니다: 당근 착즙주스$/)).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '3개 상품 주문하기' }))
    expect(readCheckout()).toEqual({ carts: ['c1', 'c2', 'c3'] })
  })

  it('is grouped by seller with the fare of each, and shows what is missing for free delivery', async () => {
    logIn()
    renderPage(<MemberCart />, '/cart')
    const hangang = await screen.findByRole('region', { name: '한강바이크' })
    expect(within(hangang).getAllByRole('listitem')).toHaveLength(2)
    // The list price, if the product is discounted.
    expect(
      within(hangang)
        .getAllByText(/^정가/)
        .map((price) => price.closest('s')?.textContent),
    ).toEqual(['정가 $1,290.00'])
    expect(await within(hangang).findByText('무료')).toBeTruthy()
    const juice = screen.getByRole('region', { name: '아침착즙' })
    expect(await within(juice).findByText(/더 담으면 무료배송/)).toBeTruthy()
    expect(within(juice).getByText('$40.00')).toBeTruthy()
    expect(screen.getByText('$1,845.50')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })

  it('shows each line with its list price, and the discounts of product and level', async () => {
    logIn()
    const option = {
      _id: 'mint',
      enabled: true,
      name: '색상',
      value: '민트',
      price: 1000,
      salePrice: 117000,
      soldOut: false,
      stock: 5,
    }
    lines = [{ ...line('c1', 'p1', 2), _option: 'mint', option, salePrice: 117000 }]
    const priced = quote([{ product: card(GOODS.p1), quantity: 2 }])
    const totals = { ...priced.totals, goods: 260000, productDiscount: 26000, levelDiscount: 7020, payable: 226980 }
    server.use(http.post('*/api/v1/shop/orders/preview', () => HttpResponse.json(preview({ ...priced, totals }))))
    renderPage(<MemberCart />, '/cart')
    const [row] = within(await screen.findByRole('region', { name: '한강바이크' })).getAllByRole('listitem')
    expect(row?.textContent).toContain('정가 $2,600.00$2,340.00')
    const sum = within(screen.getByRole('complementary', { name: '결제예정금액' }))
    expect(await sum.findByText('-$70.20')).toBeTruthy()
    expect(sum.getAllByRole('term').map((name) => `${name.textContent} ${name.nextSibling?.textContent}`)).toEqual([
      '상품금액 $2,600.00',
      '상품 할인 -$260.00',
      '회원 등급 할인 -$70.20',
      '배송비 무료',
    ])
  })

  it('retries lines that were not transferred at login (V090)', async () => {
    addToGuestCart({ _product: 'p3', quantity: 2 })
    logIn()
    lines = []
    server.use(
      http.post('*/api/v1/me/carts', () => {
        lines = [line('c2', 'p3', 2)]
        return HttpResponse.json({})
      }),
    )
    renderPage(<MemberCart />, '/cart')
    expect(await screen.findByText('당근 착즙주스')).toBeTruthy()
    expect(useSession.getState().carts).toEqual([])
  })

  it('shows that lines are waiting while the server does not accept them, and keeps them (V090)', async () => {
    addToGuestCart({ _product: 'p3', quantity: 2 })
    logIn()
    server.use(http.post('*/api/v1/me/carts', () => HttpResponse.json({}, { status: 503 })))
    renderPage(<MemberCart />, '/cart')
    expect(await screen.findByText(/로그인 전에 담은 상품 1개/)).toBeTruthy()
    expect(useSession.getState().carts).toHaveLength(1)
  })

  it('is in the member area, too (R078)', async () => {
    logIn()
    renderPage(<MyCart />, '/mypage/cart')
    expect(await screen.findByText('당근 착즙주스')).toBeTruthy()
    const pages = within(screen.getByRole('navigation', { name: '마이페이지' }))
    expect(pages.getByRole('link', { name: '장바구니' }).getAttribute('aria-current')).toBe('page')
    expect(await screen.findByRole('button', { name: '3개 상품 주문하기' })).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })

  it('shows changes by another window once this one gets the focus', async () => {
    logIn()
    lines = []
    renderPage(<MemberCart />, '/cart')
    expect(await screen.findByText('장바구니가 비어 있습니다')).toBeTruthy()
    lines = [line('c2', 'p3', 2)]
    fireEvent(window, new Event('visibilitychange'))
    expect(await screen.findByRole('group', { name: '당근 착즙주스 수량' })).toBeTruthy()
  })

  it('cannot order sold-out products', async () => {
    logIn()
    renderPage(<MemberCart />, '/cart')
    const box = await screen.findByRole('checkbox', { name: '다 팔린 주스 선택' })
    expect(box).toHaveProperty('disabled', true)
    expect(screen.getByText('품절')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: '3개 상품 주문하기' }))
    expect(readCheckout()).toEqual({ carts: ['c1', 'c2', 'c3'] })
  })

  it('shows a quantity at once, sends the last one, and disables ordering until the sum is known', async () => {
    logIn()
    renderPage(<MemberCart />, '/cart')
    const more = async () => userEvent.click(within(await stepper()).getByRole('button', { name: '수량 늘리기' }))
    const stepper = () => screen.findByRole('group', { name: '당근 착즙주스 수량' })
    const button = await screen.findByRole('button', { name: '3개 상품 주문하기' })
    await waitFor(() => expect(button).toHaveProperty('ariaDisabled', null))
    await more()
    await more()
    await more()
    expect(within(await stepper()).getByRole('textbox')).toHaveProperty('value', '5')
    expect(button).toHaveProperty('ariaDisabled', 'true')
    await waitFor(() => expect(button).toHaveProperty('ariaDisabled', null))
    expect(writes.at(-1)).toBe('c2=5')
    expect(screen.getByText('$1,860.50')).toBeTruthy()
  })

  it('brings a removed line back, once the removal has arrived', async () => {
    logIn()
    server.use(
      http.delete('*/api/v1/me/carts/:id', async ({ params }) => {
        await delay(40)
        writes.push(`-${params.id}`)
        lines = lines.filter((one) => one._id !== params.id)
        return HttpResponse.json({})
      }),
      http.post('*/api/v1/me/carts', async ({ request }) => {
        const { _product, quantity } = (await request.json()) as { _product: keyof typeof GOODS; quantity: number }
        writes.push(`+${_product}=${quantity}`)
        lines = [...lines, line('c9', _product, quantity)]
        return HttpResponse.json({})
      }),
    )
    renderPage(
      <>
        <MemberCart />
        <Toasts />
      </>,
      '/cart',
    )
    await userEvent.click(await screen.findByRole('button', { name: '당근 착즙주스 삭제' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: '당근 착즙주스 삭제' })).toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
    await screen.findByRole('button', { name: '당근 착즙주스 삭제' })
    await waitFor(() => expect(writes).toEqual(['-c2', '+p3=2']))
  })

  it('requests the price of selected lines only', async () => {
    logIn()
    renderPage(<MemberCart />, '/cart')
    await userEvent.click(await screen.findByRole('checkbox', { name: '한강바이크' }))
    expect(await screen.findByText('$13.00')).toBeTruthy()
    expect(screen.getByRole('button', { name: '1개 상품 주문하기' })).toBeTruthy()
  })

  it('restores the selection after returning from the checkout', async () => {
    logIn()
    const before = renderPage(<MemberCart />, '/cart')
    await userEvent.click(await screen.findByRole('checkbox', { name: '한강바이크' }))
    await userEvent.click(await screen.findByRole('button', { name: '1개 상품 주문하기' }))
    before.unmount()
    renderPage(<MemberCart />, '/cart')
    expect(await screen.findByRole('button', { name: '1개 상품 주문하기' })).toBeTruthy()
    await userEvent.click(screen.getByRole('checkbox', { name: '한강바이크' }))
    expect(await screen.findByRole('button', { name: '3개 상품 주문하기' })).toBeTruthy()
  })

  it('sends no quantity for invalid text, and does not order meanwhile', async () => {
    logIn()
    renderPage(<MemberCart />, '/cart')
    const stepper = within(await screen.findByRole('group', { name: '당근 착즙주스 수량' }))
    const number = stepper.getByRole<HTMLInputElement>('textbox')
    await userEvent.clear(number)
    await userEvent.type(number, '1.5')
    await userEvent.click(await screen.findByRole('button', { name: '3개 상품 주문하기' }))
    expect(screen.getByText(/‘1.5’ 대신 2개로 되돌렸습니다/)).toBeTruthy()
    expect(number.value).toBe('2')
    expect(readCheckout()).toBeUndefined()
    expect(writes).toEqual([])
  })

  it('restores the old quantity and shows the error, when the server refuses', async () => {
    logIn()
    server.use(
      http.put('*/api/v1/me/carts/:id', async () => {
        await delay(40)
        return HttpResponse.json({ error: { code: 'sold_out', message: '재고가 부족합니다.' } }, { status: 409 })
      }),
    )
    const page = (
      <>
        <MemberCart />
        <Toasts />
      </>
    )
    renderPage(page, '/cart')
    const stepper = await screen.findByRole('group', { name: '당근 착즙주스 수량' })
    const number = within(stepper).getByRole('textbox')
    await userEvent.click(within(stepper).getByRole('button', { name: '수량 늘리기' }))
    await waitFor(() => expect(number).toHaveProperty('value', '3'))
    await waitFor(() => expect(number).toHaveProperty('value', '2'))
    expect(await screen.findAllByText('재고가 부족합니다.')).toHaveLength(1)
  })

  it("restores the server's quantity when offline", async () => {
    logIn()
    renderPage(<MemberCart />, '/cart')
    const stepper = await screen.findByRole('group', { name: '당근 착즙주스 수량' })
    const number = within(stepper).getByRole('textbox')
    const more = within(stepper).getByRole('button', { name: '수량 늘리기' })
    await userEvent.click(more)
    await waitFor(() => expect(writes).toEqual(['c2=3']))
    server.use(
      http.put('*/api/v1/me/carts/:id', () => HttpResponse.error()),
      http.get('*/api/v1/me/carts', () => HttpResponse.error()),
    )
    await userEvent.click(more)
    await waitFor(() => expect(number).toHaveProperty('value', '3'))
  })
})

describe("a guest's cart", () => {
  it('brings a removed line back as it was', async () => {
    addToGuestCart({ _product: 'p3', quantity: 2, note: { name: '당근 착즙주스', unitPrice: 500 } })
    const before = useSession.getState().carts
    renderPage(
      <>
        <GuestCart />
        <Toasts />
      </>,
      '/shop/cart',
    )
    fireEvent.click(await screen.findByRole('button', { name: '당근 착즙주스 삭제' }))
    expect(useSession.getState().carts).toEqual([])
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
    expect(useSession.getState().carts).toEqual(before)
  })

  it('shows the list price of the selected option', async () => {
    const option = {
      _id: 'big',
      name: '크기',
      value: '큰 것',
      enabled: true,
      price: 1000,
      salePrice: 117000,
      soldOut: false,
      stock: 3,
    }
    const product = detail({ options: [option] })
    server.use(http.get('*/api/v1/shop/products/p1', () => HttpResponse.json({ product })))
    addToGuestCart({ _product: 'p1', _option: 'big', quantity: 2 })
    renderPage(<GuestCart />, '/shop/cart')
    expect(await screen.findByText('$2,600.00')).toBeTruthy()
    expect(screen.getByText('$2,340.00')).toBeTruthy()
  })

  it('shows the list price of discounted products, as soon as they are loaded', async () => {
    addToGuestCart({ _product: 'p1', quantity: 1 })
    renderPage(<GuestCart />, '/shop/cart')
    expect((await screen.findByText('정가')).parentElement?.textContent).toBe('정가 $1,290.00')
  })

  it('is priced once: after loading which lines can be ordered', async () => {
    const priced: OrderForm[] = []
    server.use(
      http.get('*/api/v1/shop/products/p4', async () => {
        await delay(50)
        return HttpResponse.json({ product: GOODS.p4 })
      }),
      http.post('*/api/v1/shop/orders/preview', async ({ request }) => {
        priced.push((await request.json()) as OrderForm)
        return HttpResponse.json(preview(quote([{ product: card(GOODS.p3), quantity: 2 }])))
      }),
    )
    addToGuestCart({ _product: 'p3', quantity: 2 })
    addToGuestCart({ _product: 'p4', quantity: 1 })
    renderPage(<GuestCart />, '/shop/cart')
    await screen.findByRole('button', { name: '1개 상품 주문하기' })
    expect(await screen.findByText('$13.00')).toBeTruthy()
    expect(priced).toEqual([{ carts: [{ _product: 'p3', quantity: 2 }] }])
  })

  it('is priced by the server and continues to the checkout', async () => {
    addToGuestCart({ _product: 'p3', quantity: 2 })
    renderPage(<GuestCart />, '/shop/cart')
    expect(await screen.findByText('당근 착즙주스')).toBeTruthy()
    expect(await screen.findByText('$13.00')).toBeTruthy()
    expect(screen.queryByText(/^정가/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '1개 상품 주문하기' }))
    expect(readCheckout()).toEqual({ lines: [{ _product: 'p3', quantity: 2 }], guestCart: guestCart() })
    expect(useSession.getState().carts).toHaveLength(1)
  })
})
