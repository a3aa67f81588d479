// Actions on a completed purchase: one review, and buy again; and the links of the status strip.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession, endSession, useSession } from '../../api/session'
import type { ProductDetail, PurchaseRow } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { detail, order, purchase } from '../../testing/shop'
import { ConfirmHost } from '../../ui/confirm'
import { Toasts } from '../../ui/toast'
import { PurchaseCard } from './PurchaseCard'
import { StatusStrip } from './StatusStrip'

withServer()

/** It waives no right given by law (e-commerce act, article 17). */
const CONFIRMATION =
  '확정하면 적립금이 쌓이고, 이 화면에서는 교환·반품을 신청할 수 없습니다. 확정한 뒤에도 법이 정한 기간 안에는 상품 문의로 청약철회와 반품을 요청할 수 있습니다.'
/** A guest earns no points, and cannot ask about products. */
const GUEST_CONFIRMATION =
  '확정하면 이 화면에서는 교환·반품을 신청할 수 없습니다. 확정한 뒤에도 법이 정한 기간 안에는 고객센터의 제휴·문의에서 청약철회와 반품을 요청할 수 있습니다.'

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

let sent: unknown[]
let product: ProductDetail | undefined

beforeEach(() => {
  endSession()
  sent = []
  product = detail()
  server.use(
    http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {} })),
    http.get('*/api/v1/me/reviews/writable', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, purchases: [{ purchaseNo: 'fresh' }], points: {} }),
    ),
    http.get('*/api/v1/shop/products/p1', () =>
      product
        ? HttpResponse.json({ product })
        : HttpResponse.json({ error: { code: 'not_found', message: 'not found' } }, { status: 404 }),
    ),
    http.post('*/api/v1/me/carts', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({})
    }),
  )
})

const show = (...purchases: PurchaseRow[]) =>
  renderPage(
    <>
      <ul>
        {purchases.map((one) => (
          <PurchaseCard key={one.purchaseNo} order={order({ purchases })} purchase={one} />
        ))}
      </ul>
      <Toasts />
    </>,
  )

const arrived = (part: Partial<PurchaseRow> = {}) =>
  purchase({ orderStatus: 'DELIVERY_COMPLETE', quantity: 2, ...part })

describe('a review', () => {
  it('is offered if one is pending, and not again', async () => {
    logIn()
    const confirmed = arrived({ purchaseStatus: 'PURCHASE_COMPLETE' })
    show({ ...confirmed, purchaseNo: 'reviewed' }, { ...confirmed, purchaseNo: 'fresh' })
    const links = await screen.findAllByRole('link', { name: '후기 쓰기' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/mypage/reviews-input?purchase=fresh'])
  })

  it('is offered for a purchase just confirmed, though the pending ones were read before', async () => {
    logIn()
    const writable: { purchaseNo: string }[] = []
    const confirmed = { ...arrived({ purchaseStatus: 'PURCHASE_COMPLETE' }), purchaseNo: 'fresh' }
    server.use(
      http.get('*/api/v1/me/reviews/writable', () => HttpResponse.json({ purchases: writable, points: {} })),
      http.post('*/api/v1/me/orders/o1/confirm', () => {
        writable.push({ purchaseNo: 'fresh' })
        return HttpResponse.json({})
      }),
    )
    const card = (one: PurchaseRow) => <PurchaseCard order={order({ purchases: [one] })} purchase={one} />
    renderPage(
      <ul>
        {card({ ...confirmed, purchaseNo: 'reviewed' })}
        {card({ ...confirmed, nextActions: ['confirm'] })}
        <ConfirmHost />
      </ul>,
    )
    const ask = async () => {
      await userEvent.click(screen.getByRole('button', { name: '구매확정' }))
      return screen.findByRole('alertdialog', { name: '구매를 확정할까요?' })
    }
    await userEvent.click(within(await ask()).getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const question = await ask()
    expect(writable).toEqual([])
    await userEvent.click(within(question).getByRole('button', { name: '구매확정' }))
    expect(await screen.findByRole('link', { name: '후기 쓰기' })).toBeTruthy()
  })
})

describe('confirming', () => {
  it.each([
    ['a member', logIn, CONFIRMATION],
    ['a guest', endSession, GUEST_CONFIRMATION],
  ])('says to %s what it brings, and where a return is asked for afterwards', async (_, enter, text) => {
    enter()
    const delivered = arrived({ nextActions: ['confirm'] })
    renderPage(
      <ul>
        <PurchaseCard order={order({ purchases: [delivered] })} purchase={delivered} />
        <ConfirmHost />
      </ul>,
    )
    await userEvent.click(screen.getByRole('button', { name: '구매확정' }))
    const question = await screen.findByRole('alertdialog', { name: '구매를 확정할까요?' })
    const said = question.textContent
    await userEvent.click(within(question).getByRole('button', { name: '아니요' }))
    expect(said).toContain(`구매를 확정할까요?${text}`)
  })
})

describe('the price', () => {
  it('is shown with the price before discounts, if higher', () => {
    show(
      { ...purchase({ quantity: 2, unitPrice: 95_00, paid: 183_39 }), purchaseNo: 'less' },
      { ...purchase({ quantity: 2, unitPrice: 95_00, paid: 190_00 }), purchaseNo: 'same' },
    )
    const [less, same] = screen.getAllByRole('listitem').map((one) => one.textContent)
    expect(less).toContain('$183.39상품금액 $190.00')
    expect(same).toContain('$190.00')
    expect(same).not.toContain('상품금액')
  })
})

describe('a claim', () => {
  it('is named by its kind, and links to its page', () => {
    const claim = { _id: 'k1', kind: 'RETURN' as const, reason: '다른 상품이 왔어요', forStaff: false, feeDue: false }
    show(arrived({ claim, claimStatus: 'RETURN_REQUESTED', statusText: '반품요청' }))
    expect(screen.getByText('반품 사유: 다른 상품이 왔어요')).toBeTruthy()
    expect(screen.getByRole('link', { name: '반품 상세' }).getAttribute('href')).toBe(
      '/mypage/orders/return-detail?order=o1&claim=k1',
    )
  })
})

describe('an exchange', () => {
  const claim = { _id: 'k1', kind: 'EXCHANGE' as const, reason: '색상이 달라요', forStaff: false, feeDue: true }
  it('shows that its fee is due, once the goods are inspected', () => {
    const { unmount } = show(arrived({ claim, collectionStatus: 'COLLECTION_COMPLETE' }))
    expect(screen.getByText('교환 비용 결제를 기다리고 있습니다.')).toBeTruthy()
    unmount()
    show(arrived({ claim, collectionStatus: 'COLLECTION_PROGRESS' }))
    expect(screen.queryByText(/결제를 기다/)).toBeNull()
  })
})

describe('the parcel', () => {
  const sent = { invoiceNo: '123', courier: 'CJ', trackingUrl: 'https://track.example/123' }

  it('has a tracking link, but not once a replacement was sent', () => {
    const { unmount } = show(arrived({ ...sent, claimStatus: 'EXCHANGE_PENDING' }))
    expect(screen.getByRole('link', { name: '배송조회' }).getAttribute('href')).toBe('https://track.example/123')
    unmount()
    show(arrived({ ...sent, claimStatus: 'EXCHANGE_SHIPPING' }))
    expect(screen.queryByRole('link', { name: '배송조회' })).toBeNull()
    expect(screen.queryByText(/123/)).toBeNull()
  })
})

describe('the day of automatic confirmation', () => {
  const confirmOn = '2026-03-09'
  it('is shown while pending, and not once confirmed', () => {
    show(
      { ...arrived({ purchaseStatus: 'PURCHASE_SCHEDULE', confirmOn }), purchaseNo: 'waits' },
      { ...arrived({ purchaseStatus: 'PURCHASE_COMPLETE', confirmOn }), purchaseNo: 'over' },
    )
    expect(screen.getAllByText(/자동 구매확정/).map((one) => one.textContent)).toEqual([
      '2026. 03. 09. 자동 구매확정 예정',
    ])
  })
})

describe('buying again', () => {
  const again = async () => userEvent.click(screen.getByRole('button', { name: '바람 로드 105 재구매' }))

  it("adds product, option and quantity to a member's cart", async () => {
    logIn()
    const option = { _id: 'mint', enabled: true, soldOut: false, stock: 5, salePrice: 100, value: '민트', name: '색상' }
    product = detail({
      optionsConf: { enabled: true, sort: null, criteria: [] },
      options: [option as ProductDetail['options'][number]],
    })
    show(arrived({ _option: 'mint' }))
    expect(await a11yViolations()).toEqual([])
    await again()
    expect(await screen.findByText('장바구니에 담았습니다.')).toBeTruthy()
    expect(sent).toEqual([{ _product: 'p1', _option: 'mint', quantity: 2 }])
  })

  it("adds them to a guest's cart in the browser", async () => {
    show(arrived())
    await again()
    await waitFor(() => expect(useSession.getState().carts).toMatchObject([{ _product: 'p1', quantity: 2 }]))
    expect(sent).toEqual([])
  })

  it.each<[string, () => ProductDetail | undefined, string]>([
    ['is sold out', () => detail({ soldOut: true, stock: 0 }), '품절된 상품입니다.'],
    [
      'has less left',
      () => detail({ stock: 1 }),
      '재고가 1개만 남아 담지 못했습니다. 상품 페이지에서 수량을 선택해 주세요.',
    ],
    ['is sold no more', () => undefined, '지금은 판매하지 않는 상품입니다.'],
  ])('shows that it %s, and adds nothing', async (_, now, said) => {
    logIn()
    product = now()
    show(arrived())
    await again()
    expect(await screen.findByText(said)).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('is not offered while the parcel is on its way', () => {
    show(purchase({ orderStatus: 'SHIPPING_CONFIRM' }))
    expect(screen.queryByRole('button')).toBeNull()
  })
})

it('the strip links each number to its list', () => {
  const counts = { nonpayment: 1, payment: 2, confirm: 3, shipping: 4, delivered: 5, cancel: 6, exchange: 7, return: 8 }
  renderPage(<StatusStrip counts={counts} months="3" />)
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links.slice(5)).toEqual([
    ['취소 6건', '/mypage/orders/cancel?months=3'],
    ['교환 7건', '/mypage/orders?filter=exchange&months=3'],
    ['반품 8건', '/mypage/orders/return?months=3'],
  ])
})

it('shows no number before it is loaded', () => {
  renderPage(<StatusStrip counts={undefined} />)
  expect(screen.getByRole('region', { name: '주문 진행 상황' }).textContent).not.toMatch(/\d/)
  expect(screen.getByRole('link', { name: '취소 –' })).toBeTruthy()
})
