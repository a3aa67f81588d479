// The order page: its buttons are exactly the server's nextActions, and nothing is shown twice.
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { NO, paid, renderOrderPage, serveOrder, slider, unpaid } from '../../testing/orderPage'
import { server, withServer } from '../../testing/server'
import { deposit, feeAsked } from '../../testing/shop'
import { Toasts } from '../../ui/toast'
import { claim, exchangeClaim, order, purchase } from '../testing'
import { changes } from './orderDiff'

withServer()

let sent: { path: string; body: unknown }[]
beforeEach(() => {
  sent = serveOrder().sent
})

describe('an order', () => {
  it('has exactly the buttons the server allows', async () => {
    renderOrderPage()
    const line = within((await screen.findByText('로드 바이크')).closest('li') as HTMLElement)
    const acts = line.getAllByRole('button').map((button) => button.textContent)
    expect(acts.filter((text) => !text?.endsWith('설명'))).toEqual(['준비 처리', '주문 취소'])
    await slider()
    expect(await a11yViolations()).toEqual([])
  })

  it('requires a reason before it cancels', async () => {
    renderOrderPage()
    await userEvent.click(await screen.findByRole('button', { name: '주문 취소' }))
    const dialog = within(await screen.findByRole('dialog'))
    const confirm = await dialog.findByRole('button', { name: '$1,000.00 환불하고 주문 취소' })
    await userEvent.click(confirm)
    expect(dialog.getByText('사유를 두 글자 이상 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.type(dialog.getByLabelText(/사유/), '재고 없음')
    await userEvent.click(confirm)
    const body = { reason: '재고 없음', purchaseNos: [NO], shown: { refund: 100000, points: 200 } }
    await waitFor(() => expect(sent).toEqual([{ path: '/api/console/shop/orders/o1/cancel', body }]))
  })

  it('lists all goods of a claim before a decision', async () => {
    const [first] = paid.purchases
    const claim = { _id: 'c1', kind: 'CANCEL' as const, reason: '마음이 바뀌었어요', forStaff: true, feeDue: false }
    const asked = ['망고 주스', '스쿠터'].map((name, i) => ({
      ...first,
      name,
      purchaseNo: `${first?.purchaseNo}-${i}`,
      claim,
      nextActions: ['rejectCancel'],
    }))
    server.use(
      http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: { ...paid, purchases: asked } })),
    )
    renderOrderPage()
    await userEvent.click((await screen.findAllByRole('button', { name: '취소 거부' }))[0] as HTMLElement)
    expect(within(await screen.findByRole('dialog')).getByText('망고 주스, 스쿠터')).toBeTruthy()
  })

  it.each<[('console' | 'company')[], number]>([
    [['company'], 1],
    [['console'], 0],
  ])('shows only a seller that staff decide on a claim of several sellers (%s)', async (scope, told) => {
    beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'COMPANY', scope } })
    const claim = { _id: 'c1', kind: 'CANCEL' as const, reason: '마음이 바뀌었어요', forStaff: true, feeDue: false }
    const purchases = [purchase(NO, { claimStatus: 'CANCEL_REQUESTED', claim, nextActions: [] })]
    server.use(http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: { ...paid, purchases } })))
    renderOrderPage()
    expect(await screen.findByText('마음이 바뀌었어요')).toBeTruthy()
    expect(screen.queryAllByText(/운영자가 처리합니다/)).toHaveLength(told)
  })

  it('shows its claims, the newest first, and which purchase was split', async () => {
    const made = claim(NO, {
      pickup: paid.receiver,
      invoice: { courier: 'CJ', invoiceNo: '123', trackingUrl: null },
      inspection: { arrived: 2, resellable: 1, fault: 'BUYER' },
      refund: { money: 128700, points: 0, fees: [{ kind: 'RETURN_FARE', amount: 300 }] },
    })
    const earlier = claim(NO, {
      _id: 'k0',
      kind: 'CANCEL',
      state: 'REJECTED',
      by: 'staff',
      rejection: '이미 보냈습니다',
    })
    const purchases = [purchase(NO, { splitFrom: '260302001-9', nextActions: ['approveReturn', 'rejectReturn'] })]
    server.use(
      http.get('*/api/console/shop/orders/o1', () =>
        HttpResponse.json({ order: { ...paid, purchases, claims: [earlier, made] } }),
      ),
    )
    renderOrderPage()
    const card = (await screen.findByRole('heading', { name: '취소·교환·반품' })).closest('section') as HTMLElement
    const [first, second] = card.querySelectorAll(':scope > ul > li')
    expect(first?.textContent).toMatch(/^반품요청구매자 신청.*다른 상품이 왔어요.*김철수/)
    for (const said of [
      '반품 배송비-$3.00',
      '신청한 배송비 부담판매자',
      '수거 송장CJ 123',
      '2개 도착, 1개 재판매 가능',
      '환불 예정 금액$1,287.00',
    ])
      expect(first?.textContent).toContain(said)
    expect(second?.textContent).toMatch(/^취소거부운영자 신청.*거부 사유: 이미 보냈습니다/)
    // A rejected claim refunds nothing.
    expect(second?.textContent).not.toContain('환불')
    expect(screen.getByText(/260302001-9에서 나눔/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '반품 승인' })).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })

  it('shows the replacement of exchanged goods, and corrects the numbers of its parcels', async () => {
    const parcel = (invoiceNo: string) => ({ courier: 'CJ', invoiceNo, trackingUrl: null })
    const made = exchangeClaim(NO, {
      invoice: parcel('111'),
      exchange: {
        ...feeAsked({ status: 'PAY_COMPLETED', _payment: 'p2', method: 'card' }),
        difference: -300,
        differenceBack: { money: 300, points: 0 },
        price: 0,
        invoice: parcel('222'),
        delayReason: '입고 지연',
      },
    })
    const asked = { _id: 'k1', kind: 'EXCHANGE' as const, reason: '색상이 달라요', forStaff: false, feeDue: false }
    const purchases = [
      purchase(NO, {
        claim: asked,
        claimStatus: 'EXCHANGE_SHIPPING',
        collectionStatus: 'COLLECTION_PROGRESS',
        invoiceNo: '999',
        nextActions: ['pickUpGoods', 'correctReplacement'],
      }),
    ]
    server.use(
      http.get('*/api/console/shop/orders/o1', () =>
        HttpResponse.json({ order: { ...paid, purchases, claims: [made] } }),
      ),
    )
    renderOrderPage()
    const card = (await screen.findByRole('heading', { name: '취소·교환·반품' })).closest('section')
    for (const said of [
      '교환배송중',
      '돌아오는 옵션민트교환 옵션분홍옵션 차액 (개당)-$3.00돌려드린 차액$3.00',
      '교환 배송비$6.00 · 결제 완료 (신용·체크카드)',
      '교환 송장CJ 222',
      '지연 사유입고 지연',
    ])
      expect(card?.textContent).toContain(said)
    expect(card?.textContent).not.toContain('환불')
    for (const [button, number] of [
      ['교환 송장 수정', '222'],
      ['수거 송장 수정', '111'],
    ] as const) {
      await userEvent.click(screen.getByRole('button', { name: button }))
      const dialog = within(await screen.findByRole('dialog', { name: button }))
      expect(dialog.getByLabelText<HTMLInputElement>(/송장번호/).value).toBe(number)
      await userEvent.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
  })

  it('inspects returned goods', async () => {
    const asked = { _id: 'k1', kind: 'RETURN' as const, reason: '다른 상품이 왔어요', forStaff: false, feeDue: false }
    const purchases = [purchase(NO, { claim: asked, nextActions: ['inspectGoods'] })]
    server.use(
      http.get('*/api/console/shop/orders/o1', () =>
        HttpResponse.json({ order: { ...paid, purchases, claims: [claim(NO)] } }),
      ),
    )
    renderOrderPage()
    await userEvent.click(await screen.findByRole('button', { name: '검수' }))
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText('다른 상품이 왔어요')
    await userEvent.click(dialog.getByRole('button', { name: '검수 완료' }))
    await waitFor(() =>
      expect(sent).toEqual([
        {
          path: `/api/console/shop/purchases/${NO}`,
          body: {
            collectionStatus: 'COLLECTION_COMPLETE',
            inspection: { arrived: 1, resellable: 1, fault: 'SELLER' },
          },
        },
      ]),
    )
  })

  it('runs actions without parameters immediately', async () => {
    renderOrderPage()
    await userEvent.click(await screen.findByRole('button', { name: '준비 처리' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('a refund the bank refused', () => {
  const refused = order({
    paymentMethod: 'vbank',
    payments: [
      deposit({
        status: 'PAYMENT_COMPLETED',
        awaitsDeposit: false,
        needsRefundAccount: true,
        refusedRefunds: [{ _id: 'r1', amount: 1_000 }],
      }),
    ],
  })
  const warning = /환불이 거절되었습니다/
  const sendIt = () => userEvent.click(screen.getByRole('button', { name: '환불 계좌 등록' }))

  beforeEach(() => {
    const mended = order({ payments: refused.payments.map((one) => ({ ...one, needsRefundAccount: false })) })
    server.use(
      http.get('*/api/plugins/nicepayments/config', () =>
        HttpResponse.json({ config: { banks: [{ code: '004', name: '국민은행' }] } }),
      ),
      http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: sent.length > 1 ? mended : refused })),
      http.get('*/api/console/shop/orders/o1/asof', () => HttpResponse.json({ order: refused, position: 10 })),
      http.put('*/api/console/shop/orders/o1/refundAccount', async ({ request }) => {
        sent.push({ path: new URL(request.url).pathname, body: await request.json() })
        const field = { field: 'account.accountHolder', code: 'accountHolder', message: '예금주가 다릅니다.' }
        return sent.length > 1
          ? HttpResponse.json({ order: mended })
          : HttpResponse.json(
              { error: { code: 'invalid', message: '확인해 주세요.', fields: [field] } },
              { status: 400 },
            )
      }),
    )
  })

  it('requires the account the buyer names, and is requested again', async () => {
    renderOrderPage()
    render(<Toasts />)
    expect((await screen.findByText(warning)).closest('section')?.textContent).toContain('결제와 환불')
    await sendIt()
    expect(screen.getByText('은행을 선택해 주세요.')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    expect(sent).toEqual([])

    await userEvent.selectOptions(screen.getByLabelText(/^환불 은행/), '004')
    await userEvent.type(screen.getByLabelText(/^예금주/), '홍길동')
    await userEvent.type(screen.getByLabelText(/^환불 계좌번호/), '123456-01-234567')
    await sendIt()
    const told = await screen.findByText('예금주가 다릅니다.')
    expect(screen.getByLabelText(/^예금주/).getAttribute('aria-describedby')).toBe(told.id)
    expect(screen.queryByText('확인해 주세요.')).toBeNull()

    await sendIt()
    await waitFor(() => expect(screen.queryByText(warning)).toBeNull())
    expect(screen.queryByLabelText(/^예금주/)).toBeNull()
    expect(await screen.findByText(/환불 계좌를 등록했습니다/)).toBeTruthy()
    const body = { account: { code: '004', accountNumber: '12345601234567', accountHolder: '홍길동' } }
    expect(sent[1]).toEqual({ path: '/api/console/shop/orders/o1/refundAccount', body })
  })

  it('records a transfer by staff', async () => {
    const account = { code: '004', accountNumber: '12345678', accountHolder: '홍길동' }
    const stuck = order({
      payments: [
        deposit({
          status: 'PAYMENT_COMPLETED',
          refusedRefunds: [{ _id: 'r1', amount: 1_000 }],
          refundAccount: account,
        }),
      ],
    })
    server.use(
      http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: stuck })),
      http.post('*/api/console/shop/orders/o1/refunds/r1/transfer', async ({ request }) => {
        sent.push({ path: new URL(request.url).pathname, body: await request.json() })
        return HttpResponse.json({ order: stuck })
      }),
    )
    renderOrderPage()
    expect((await screen.findByText(/국민은행 12345678/)).textContent).toContain('홍길동')
    await userEvent.click(screen.getByRole('button', { name: '이체 완료' }))
    expect(screen.getByText('이체 확인번호를 두 글자 이상 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.type(screen.getByLabelText(/이체 확인번호/), '20261125-1')
    await userEvent.click(screen.getByRole('button', { name: '이체 완료' }))
    await waitFor(() => expect(sent.map((one) => one.body)).toEqual([{ reference: '20261125-1' }]))
    expect(await a11yViolations()).toEqual([])
  })

  it('records the transfer of the fee of a rejected exchange', async () => {
    const feeTransfer = { _refund: 'r2', amount: 600, sent: false, needsAccount: true, account: null }
    const exchange = exchangeClaim('20261121-7KD2M9QX-1').exchange
    const owing = order({
      claims: [
        exchangeClaim('20261121-7KD2M9QX-1', { state: 'REJECTED', exchange: exchange && { ...exchange, feeTransfer } }),
      ],
    })
    server.use(
      http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: owing })),
      http.post('*/api/console/shop/orders/o1/refunds/r2/transfer', async ({ request }) => {
        sent.push({ path: new URL(request.url).pathname, body: await request.json() })
        return HttpResponse.json({ order: owing })
      }),
    )
    renderOrderPage()
    expect(await screen.findByText(/계좌로 받은 교환 배송비를 환불해야 합니다/)).toBeTruthy()
    await userEvent.type(screen.getByLabelText(/이체 확인번호/), '20261125-2')
    await userEvent.click(screen.getByRole('button', { name: '이체 완료' }))
    await waitFor(() => expect(sent.map((one) => one.body)).toEqual([{ reference: '20261125-2' }]))
  })

  it('says nothing is to be received for an exchange that ended, and that what was paid went back', async () => {
    const exchange = {
      ...feeAsked({ amount: 1_200, status: 'PAY_CANCELED', _payment: 'p2', method: 'card' }),
      difference: 600,
      price: 600,
    }
    const ended = order({ claims: [exchangeClaim(NO, { state: 'REJECTED', exchange })] })
    server.use(http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: ended })))
    renderOrderPage()
    const card = (await screen.findByRole('heading', { name: '취소·교환·반품' })).closest('section')
    expect(card?.textContent).toContain('옵션 차액 (개당)+$6.00교환 비용 (배송비와 차액)$12.00 · 환불')
    expect(card?.textContent).not.toContain('받을 차액')
  })

  it('shows errors that belong to no field', async () => {
    server.use(
      http.put('*/api/console/shop/orders/o1/refundAccount', () =>
        HttpResponse.json({ error: { code: 'not_allowed_now', message: '지금은 할 수 없습니다.' } }, { status: 409 }),
      ),
    )
    renderOrderPage()
    await screen.findByText(warning)
    await screen.findByRole('option', { name: '국민은행' })
    await userEvent.selectOptions(screen.getByLabelText(/^환불 은행/), '004')
    await userEvent.type(screen.getByLabelText(/^예금주/), '홍길동')
    await userEvent.type(screen.getByLabelText(/^환불 계좌번호/), '12345678')
    await sendIt()
    expect(await screen.findByText('지금은 할 수 없습니다.')).toBeTruthy()
  })

  it('is read-only in the past', async () => {
    renderOrderPage('/console/shop/orders/o1?position=10')
    expect(await screen.findByText('환불 거절')).toBeTruthy()
    expect(screen.queryByText(warning)).toBeNull()
  })
})

describe('a seller', () => {
  it('sees only their part and requests no history', async () => {
    beginSession({
      refreshToken: 'r',
      accessToken: 'a',
      payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] },
    })
    server.use(http.get('*/api/console/shop/orders/o1/history', () => HttpResponse.json({}, { status: 403 })))
    renderOrderPage()
    expect(await screen.findByRole('button', { name: '준비 처리' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: '기록' })).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
    expect(screen.queryByRole('button', { name: /설명$/ })).toBeNull()
    expect(screen.getByRole('heading', { name: '내 상품 결제금액' })).toBeTruthy()
    expect(screen.getByText(NO).textContent).toBe(NO)
  })

  it("sees that a discount is from another's coupon", async () => {
    beginSession({
      refreshToken: 'r',
      accessToken: 'a',
      payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] },
    })
    const own = {
      _issued: 'i1',
      _coupon: 'c1',
      name: '단골 할인',
      stage: 'product' as const,
      purchaseNo: NO,
      _seller: 's1',
      amount: 500,
      sellerShare: 500,
      counted: false,
    }
    const totals = { ...paid.totals, productCoupon: 500, fareCoupon: 100, totalCoupon: 2000 }
    const coupons = [own, { ...own, _issued: 'i2', stage: 'total' as const, purchaseNo: null, amount: 300 }]
    server.use(
      http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: { ...paid, totals, coupons } })),
    )
    renderOrderPage()
    await screen.findByText('상품 쿠폰')
    expect(screen.getByText('배송비 쿠폰 (쇼핑몰 쿠폰)')).toBeTruthy()
    expect(screen.getByText('주문 쿠폰 (쇼핑몰 쿠폰 포함)')).toBeTruthy()
  })
})

describe('the differences between two states of an order', () => {
  it('show the outcome of a claim', () => {
    const before = order({ claims: [claim(NO)] })
    const parcel = { courier: 'CJ', invoiceNo: '123', trackingUrl: null }
    const found = { arrived: 2, resellable: 1, fault: 'BUYER' as const }
    const after = order({
      claims: [claim(NO, { state: 'REJECTED', invoice: parcel, inspection: found, sentBack: parcel })],
    })
    expect(changes(before, after).map(({ path, to }) => [path, to])).toEqual([
      ['claims.k1.state', '반품거부'],
      ['claims.k1.invoice', 'CJ 123'],
      ['claims.k1.inspection', '2개 도착, 1개 재판매 가능'],
      ['claims.k1.sentBack', 'CJ 123'],
    ])
  })
})

describe('the costs of an order', () => {
  it('are shown once: single fares only if the sum does not show them, the state only at a single purchase', async () => {
    renderOrderPage()
    const amounts = within((await screen.findByRole('heading', { name: '금액' })).closest('section') as HTMLElement)
    expect(amounts.getByText('부가세 포함')).toBeTruthy()
    expect(amounts.queryByRole('heading', { name: '배송비 내역' })).toBeNull()
    expect(screen.getAllByText('결제완료')).toHaveLength(1)
  })

  it('show a surcharge of a fare', async () => {
    const fares = paid.fares.map((fare) => ({ ...fare, islandFee: 300 }))
    server.use(http.get('*/api/console/shop/orders/o1', () => HttpResponse.json({ order: { ...paid, fares } })))
    renderOrderPage()
    expect(await screen.findByRole('heading', { name: '배송비 내역' })).toBeTruthy()
    expect(screen.getByText(/도서산간 추가/)).toBeTruthy()
  })
})

describe('changes', () => {
  it('are the differences, as text', () => {
    expect(changes(unpaid, paid).map(({ label, from, to }) => [label, from, to])).toEqual([
      [`${NO} 진행`, '결제대기', '결제완료'],
    ])
    expect(changes(paid, paid)).toEqual([])
  })
})
