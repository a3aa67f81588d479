// The order page apart from its lines: breakdown of amounts, claims, and how to exchange or return goods.
import { fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { endSession } from '../../api/session'
import type { PurchaseRow } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { card, claim, deposit, exchangeClaim, feeAsked, order, purchase, quote } from '../../testing/shop'
import { Toasts } from '../../ui/toast'
import { Component as OrderPage } from './index'
import { OrderView } from './OrderView'

withServer()
beforeEach(() => {
  endSession()
  const company = { tel: '02-2001-0000' }
  const couriers = [{ code: 'CJ', name: 'CJ대한통운' }]
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: { company }, couriers })))
})

const show = async (...purchases: PurchaseRow[]) => {
  renderPage(<OrderView order={order({ purchases })} />, '/mypage/orders-detail')
  await screen.findByRole('heading', { name: '주문 금액' })
}

describe('a delivered purchase', () => {
  const delivered = purchase({ orderStatus: 'DELIVERY_COMPLETE', purchaseStatus: 'PURCHASE_SCHEDULE' })

  it('can be returned and exchanged from here, without a phone call', async () => {
    await show({ ...delivered, nextActions: ['requestReturn', 'requestExchange', 'confirm'] })
    expect(screen.getByRole('link', { name: '반품신청' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '교환신청' }).getAttribute('href')).toBe(
      '/mypage/orders/exchange-application?order=o1&purchase=20261121-7KD2M9QX-1',
    )
    expect(screen.queryByText(/새로 주문/)).toBeNull()
    expect(document.querySelector('a[href^="tel:"]')).toBeNull()
    expect(await a11yViolations()).toEqual([])
  })

  it('that cannot be returned or exchanged any more offers neither', async () => {
    await show({ ...delivered, purchaseStatus: 'PURCHASE_COMPLETE', courier: 'CJ', invoiceNo: '1' })
    expect(await screen.findByText('CJ대한통운 1')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /신청$/ })).toBeNull()
  })
})

it('lists the claims of the order, newest first, with a link to each', async () => {
  const part = purchase({ purchaseNo: 'b', quantity: 2 })
  renderPage(
    <OrderView
      order={order({
        purchases: [purchase(), part],
        claims: [
          claim({ _id: 'k1', kind: 'CANCEL', state: 'COMPLETED', purchaseNos: ['20261121-7KD2M9QX-1', 'b'] }),
          claim({ _id: 'k2', state: 'WITHDRAWN', purchaseNos: ['b'] }),
        ],
      })}
    />,
    '/mypage/orders-detail',
  )
  const card = (await screen.findByRole('heading', { name: '취소·교환·반품 신청 내역' })).closest(
    'section',
  ) as HTMLElement
  const rows = within(card).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    '반품철회바람 로드 105 · 2개신청 상세',
    '취소완료바람 로드 105 · 1개 외 1건신청 상세',
  ])
  expect(
    within(card)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/mypage/orders/return-detail?order=o1&claim=k2', '/mypage/orders/cancel-detail?order=o1&claim=k1'])
})

describe('an order that awaits a deposit', () => {
  const waiting = order({ status: 'ORDER_NONPAYMENT', nextActions: ['pay', 'cancel'], payments: [deposit()] })
  const paid = order({ payments: [deposit({ status: 'PAYMENT_COMPLETED', awaitsDeposit: false })], version: 2 })

  /** Opens the order's page; returns the requests from then on. */
  async function open() {
    const asked: string[] = []
    const bank = { order: waiting }
    server.use(
      http.get('*/api/v1/me/orders/o1', () => {
        asked.push(bank.order.status)
        return HttpResponse.json(bank)
      }),
    )
    storeGuestOrder('o1', 'guest-token')
    renderPage(
      <>
        <OrderPage />
        <Toasts />
      </>,
      '/mypage/orders-detail?order=o1',
    )
    await screen.findByText('입금할 계좌')
    return { asked, bank }
  }
  const settled = async () => {
    expect(await screen.findByText('입금이 확인되었습니다.')).toBeTruthy()
    expect(screen.queryByText('입금할 계좌')).toBeNull()
  }

  it('is polled until it is paid, and notifies once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { asked, bank } = await open()
    await vi.advanceTimersByTimeAsync(5_000)
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    bank.order = paid
    await vi.advanceTimersByTimeAsync(6_000)
    await settled()
    await vi.advanceTimersByTimeAsync(120_000)
    fireEvent(window, new Event('visibilitychange'))
    vi.useRealTimers()
    expect(asked).toEqual(['ORDER_NONPAYMENT', 'ORDER_NONPAYMENT', 'ORDER_PAYMENT'])
  })

  it('is read again as soon as its window gets the focus', async () => {
    const { asked, bank } = await open()
    bank.order = paid
    fireEvent(window, new Event('visibilitychange'))
    await settled()
    expect(asked).toHaveLength(2)
  })
})

it('merges events of several purchases at the same time', async () => {
  const entry = (position: number, text: string, at: string) => ({ position, text, at })
  const timeline = [
    entry(1, '상품을 준비하고 있습니다', '2026-11-25T09:55:26.5Z'),
    entry(2, '상품을 준비하고 있습니다', '2026-11-25T09:55:26.6Z'),
    entry(3, '상품이 발송되었습니다', '2026-11-25T10:00:00Z'),
    entry(4, '상품이 발송되었습니다', '2026-11-26T10:00:00Z'),
  ]
  renderPage(<OrderView order={order({ timeline })} />, '/mypage/orders-detail')
  const list = await screen.findByRole('list', { name: '진행 내역' })
  expect([...list.children].map((one) => one.querySelector('p')?.textContent)).toEqual([
    '상품이 발송되었습니다',
    '상품이 발송되었습니다',
    '상품을 준비하고 있습니다',
  ])
})

it.each([
  ['상품준비중', null],
  ['배송중', '123456789012'],
])('shows a delayed order at %s', async (step, invoiceNo) => {
  const delayed = purchase({ orderStatus: 'SHIPPING_DELAYED', courier: invoiceNo && 'CJ', invoiceNo })
  renderPage(<OrderView order={order({ status: 'SHIPPING_DELAYED', purchases: [delayed] })} />, '/mypage/orders-detail')
  const steps = await screen.findByRole('list', { name: '주문 단계' })
  expect(steps.querySelector('[aria-current=step]')?.textContent).toContain(step)
})

it('shows that the amount paid includes tax, without adding it', async () => {
  await show(purchase())
  const tax = screen.getAllByText(/부가세/)
  expect(tax.map((one) => one.textContent)).toEqual(['결제금액 (부가세 포함)'])
})

it('splits a fare with surcharges: free delivery to an island is not free of charge', async () => {
  const { fares, totals } = quote([{ product: card(), quantity: 1 }])
  const showWith = async (part: { fare: number; islandFee: number }) => {
    const split = order({ totals: { ...totals, fares: 500 }, fares: fares.map((fare) => ({ ...fare, ...part })) })
    const { unmount } = renderPage(<OrderView order={split} />, '/mypage/orders-detail')
    await screen.findByRole('heading', { name: '주문 금액' })
    return unmount
  }
  const leave = await showWith({ fare: 0, islandFee: 500 })
  expect(screen.getByText('배송비: 무료배송 + 제주·도서산간 추가 배송비 $5.00')).toBeTruthy()
  expect(screen.getByText('배송비').parentElement?.textContent).toContain('$5.00')
  leave()
  await showWith({ fare: 500, islandFee: 0 })
  expect(screen.getByText('배송비').parentElement?.textContent).toContain('$5.00')
  expect(screen.queryByText(/무료배송|도서산간/)).toBeNull()
})

describe('the amounts of the lines', () => {
  it('are explained if they are discounted', async () => {
    await show(purchase({ paid: 100_00 }), purchase({ purchaseNo: 'b' }))
    expect(screen.getByText(/할인과 쿠폰, 적립금을 배분해 차감한 금액입니다/)).toBeTruthy()
  })

  it('need no explanation otherwise', async () => {
    await show(purchase())
    expect(screen.queryByText(/배분해 차감한/)).toBeNull()
  })
})

it('asks for the fee of an exchange once its goods are inspected', async () => {
  const made = exchangeClaim({ state: 'ACCEPTED', exchange: feeAsked() })
  const at = (collectionStatus: PurchaseRow['collectionStatus']) =>
    renderPage(
      <OrderView order={order({ purchases: [purchase({ collectionStatus })], claims: [made] })} />,
      '/mypage/orders-detail',
    )
  const { unmount } = at('COLLECTION_PROGRESS')
  await screen.findByRole('link', { name: '신청 상세' })
  expect(screen.queryByText(/결제 대기/)).toBeNull()
  unmount()
  at('COLLECTION_COMPLETE')
  expect((await screen.findByText(/결제 대기/)).textContent).toBe(
    '교환 배송비 $6.00 결제 대기. 결제되면 새 상품을 보내 드립니다.',
  )
  expect(screen.getByRole('button', { name: '교환 배송비 $6.00 결제' })).toBeTruthy()
})
