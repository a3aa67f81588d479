// One claim: progress, refund, parcels, and withdrawal while that is possible.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { beginSession, endSession } from '../../api/session'
import type { Claim, OrderDetail, Party, PurchaseRow } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { claim, exchangeClaim, feeAsked, order, purchase } from '../../testing/shop'
import { ConfirmHost } from '../../ui/confirm'
import { stepOf } from './ClaimDetail'
import { Component as ClaimsPage } from './index'

withServer()

let now: OrderDetail
beforeEach(() => {
  endSession()
  server.use(
    http.get('*/api/v1/setting', () =>
      HttpResponse.json({
        setting: { company: { bankAccount: '국민은행 1-2' } },
        couriers: [{ code: 'CJ', name: 'CJ대한통운' }],
      }),
    ),
    http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: now })),
  )
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

function open(made: Claim, line: Partial<PurchaseRow> = {}, at = made._id) {
  now = order({ claims: [made], purchases: [purchase({ quantity: 2, ...line })] })
  const page = made.kind.toLowerCase()
  renderPage(
    <>
      <ClaimsPage />
      <ConfirmHost />
    </>,
    `/mypage/orders/${page}-detail?order=o1&claim=${at}`,
  )
}
const current = async (label: string) =>
  (await screen.findByRole('list', { name: label })).querySelector('[aria-current=step]')?.textContent
const card = async (title: string) =>
  (await screen.findByRole('heading', { level: 2, name: title })).closest('section')?.textContent

describe('a return', () => {
  beforeEach(logIn)
  const pickup = { name: '김철수', phone: '01087654321', postcode: '04524', address1: '세종대로 110' } as Party

  it('shows its pictures, which only authorized users can fetch', async () => {
    Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined })
    const asked: (string | null)[] = []
    server.use(
      http.get('*/api/v1/me/purchases/:no/pictures/:id', ({ request, params }) => {
        asked.push(`${String(params.id)} ${request.headers.get('Authorization')}`)
        return HttpResponse.arrayBuffer(new ArrayBuffer(1), { headers: { 'Content-Type': 'image/webp' } })
      }),
    )
    open(claim({ pictures: ['p1', 'p2'] }))
    await userEvent.click(await screen.findByRole('button', { name: '사진 2 크게 보기' }))
    const dialog = within(await screen.findByRole('dialog', { name: '사진 2' }))
    expect(await dialog.findByRole('img', { name: '상품 사진 2' })).toBeTruthy()
    expect(new Set(asked)).toEqual(new Set(['p1 Bearer a', 'p2 Bearer a']))
    expect(await a11yViolations()).toEqual([])
  })

  it('shows when it was requested, picked up, inspected and decided, and no other dates', async () => {
    const times = {
      requestedAt: '2026-11-20T01:00:00Z',
      acceptedAt: null,
      pickedUpAt: '2026-11-21T02:00:00Z',
      inspectedAt: '2026-11-22T03:00:00Z',
      answeredAt: '2026-11-23T04:00:00Z',
      completedAt: null,
      withdrawnAt: null,
    }
    open(claim({ state: 'REJECTED', rejection: '사용한 흔적이 있습니다', times }))
    const facts = (await screen.findByText('신청')).closest('dl')
    if (!facts) throw new Error('a list of dates')
    const rows = [...facts.querySelectorAll('dt')].map((name) => [name.textContent, name.nextSibling?.textContent])
    expect(rows).toEqual([
      ['신청', '2026. 11. 20. 10:00'],
      ['수거', '2026. 11. 21. 11:00'],
      ['상품 확인', '2026. 11. 22. 12:00'],
      ['거부', '2026. 11. 23. 13:00'],
    ])
  })

  it('shows its goods, reason, pickup address and refund', async () => {
    const fees = [{ kind: 'RETURN_FARE' as const, amount: 300 }]
    open(claim({ pickup, refund: { money: 9700, points: 150, fees } }), { collectionStatus: 'COLLECTION_PENDING' })
    expect(await current('반품 단계')).toBe('반품 신청')
    expect(await card('반품 상품')).toContain('바람 로드 105 · 2개')
    expect(await card('반품 상품')).toContain('반품 사유마음이 바뀌었어요배송비 부담구매자')
    expect(await card('환불 예정 내역')).toBe(
      '환불 예정 내역상품과 배송비$100.00반품 배송비-$3.00환불 금액$97.00적립금 반환$1.50',
    )
    expect(await card('수거지')).toContain('김철수010-8765-4321(04524) 세종대로 110')
    expect(screen.queryByRole('button', { name: '신청 철회' })).toBeNull()
    expect(await a11yViolations()).toEqual([])
  })

  it('shows the way of its goods, and the result of the inspection', async () => {
    open(
      claim({
        pickup,
        invoice: { courier: 'CJ', invoiceNo: '123', trackingUrl: 'https://track.example/123' },
        inspection: { arrived: 2, resellable: 1, fault: 'SELLER' },
      }),
      { collectionStatus: 'COLLECTION_COMPLETE' },
    )
    expect(await current('반품 단계')).toBe('상품 확인')
    await waitFor(async () => expect(await card('수거지')).toContain('수거 송장CJ대한통운 123'))
    expect(screen.getByRole('link', { name: '배송조회' }).getAttribute('href')).toBe('https://track.example/123')
    expect(await card('상품 확인 결과')).toBe('상품 확인 결과도착한 수량2개배송비 부담판매자')
  })

  it('that was refused shows why and where the goods are, and no refund', async () => {
    open(
      claim({
        state: 'REJECTED',
        rejection: '사용한 흔적이 있습니다',
        sentBack: { courier: 'CJ', invoiceNo: '456', trackingUrl: null },
      }),
    )
    expect(await screen.findByText(/거부 사유: 사용한 흔적이 있습니다/)).toBeTruthy()
    await waitFor(async () => expect(await card('다시 보내 드린 상품')).toContain('CJ대한통운 456'))
    expect(screen.queryByText('환불 금액')).toBeNull()
    expect(screen.queryByRole('list', { name: '반품 단계' })).toBeNull()
  })

  it('is withdrawn after confirmation, and then shows that', async () => {
    const sent: unknown[] = []
    const made = claim()
    const line = { claim: { _id: made._id, kind: made.kind, reason: made.reason, forStaff: false, feeDue: false } }
    server.use(
      http.post('*/api/v1/me/purchases/:no/withdraw', ({ params }) => {
        sent.push(params.no)
        now = order({ claims: [claim({ state: 'WITHDRAWN' })] })
        return HttpResponse.json({ order: now })
      }),
    )
    open(made, { ...line, nextActions: ['withdrawClaim'] })
    await userEvent.click(await screen.findByRole('button', { name: '신청 철회' }))
    const question = within(await screen.findByRole('alertdialog', { name: '반품 신청을 철회할까요?' }))
    await userEvent.click(question.getByRole('button', { name: '신청 철회' }))
    expect(await screen.findByText('신청을 철회했습니다.')).toBeTruthy()
    expect(sent).toEqual(['20261121-7KD2M9QX-1'])
    expect(screen.queryByRole('button', { name: '신청 철회' })).toBeNull()
  })

  it('is not shown if the order does not have it, or not as a return', async () => {
    open(claim(), {}, 'another')
    expect(await screen.findByText('반품 신청을 찾을 수 없습니다')).toBeTruthy()
    expect(screen.getByRole('link', { name: '주문 상세' }).getAttribute('href')).toBe('/mypage/orders-detail?order=o1')
  })
})

describe('an exchange', () => {
  beforeEach(logIn)
  const parcel = { courier: 'CJ', invoiceNo: '789', trackingUrl: 'https://track.example/789' }
  const terms = {
    difference: 0,
    price: 0,
    differenceBack: { money: 0, points: 0 },
    fee: 600,
    feePaid: false,
    pay: null,
  }

  it('shows the replacement, and that its fee is paid before it is sent', async () => {
    open(exchangeClaim({ state: 'ACCEPTED', exchange: feeAsked() }), {
      claimStatus: 'EXCHANGE_PENDING',
      collectionStatus: 'COLLECTION_COMPLETE',
      optionName: '민트',
    })
    expect(screen.queryByText(/환불/)).toBeNull()
    expect(await current('교환 단계')).toBe('상품 확인')
    expect(screen.getByText('교환대기')).toBeTruthy()
    await screen.findByText('국민은행 1-2')
    expect(await card('교환 상품')).toContain('바람 로드 105 · 민트 · 2개')
    expect(await card('새 상품')).toMatch(
      /^새 상품상품바람 로드 105 · 분홍 · 2개교환 배송비\$6\.00배송비 결제결제 대기입금 계좌국민은행 1-2교환 배송비를 결제하거나 위 계좌로/,
    )
    expect(screen.getByText(/교환 배송비가 결제되면 새 상품을 보내 드립니다\.$/)).toBeTruthy()
    expect(screen.queryByText(/환불/)).toBeNull()
    expect(await a11yViolations()).toEqual([])
  })

  it('names the option that came back once the purchase is of the new one', async () => {
    open(exchangeClaim({ state: 'COMPLETED' }), { claimStatus: 'EXCHANGE_COMPLETED', optionName: '분홍' })
    expect(await card('교환 상품')).toContain('바람 로드 105 · 민트 · 2개')
    expect(await card('새 상품')).toContain('바람 로드 105 · 분홍 · 2개')
  })

  it('says how a fee that was transferred goes back once it is rejected', async () => {
    const feeTransfer = { _refund: 'r1', amount: 600, sent: false, needsAccount: true, account: null }
    const rejected = (changes: object) => {
      const exchange = { ...feeAsked({ status: 'PAY_CANCELED' }), feeTransfer: { ...feeTransfer, ...changes } }
      open(exchangeClaim({ state: 'REJECTED', exchange }), { claimStatus: 'EXCHANGE_REJECTED' })
    }
    rejected({})
    expect(await screen.findByText(/주문 상세에서 환불받을 계좌를 등록해 주세요/)).toBeTruthy()
    cleanup()
    rejected({ needsAccount: false })
    expect(await screen.findByText(/등록하신 계좌로 환불해 드립니다/)).toBeTruthy()
    cleanup()
    rejected({ needsAccount: false, sent: true })
    expect(await screen.findByText(/계좌로 환불해 드렸습니다/)).toBeTruthy()
  })

  it('shows the account for its fee once the goods are inspected', async () => {
    const company = { bankAccount: '국민은행 000000-00-000000 장부상회' }
    server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: { company }, couriers: [] })))
    open(exchangeClaim({ state: 'ACCEPTED' }), { collectionStatus: 'COLLECTION_COMPLETE' })
    await waitFor(async () => expect(await card('새 상품')).toContain(`입금 계좌${company.bankAccount}`))
    cleanup()
    open(exchangeClaim({ state: 'ACCEPTED' }), { collectionStatus: 'COLLECTION_PROGRESS' })
    expect(await card('새 상품')).not.toContain('입금 계좌')
  })

  it('offers to pay its fee in the payment window, for its claim', async () => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/plugins/nicepayments/generate/order', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(
          { error: { code: 'not_allowed_now', message: '이미 결제되었습니다.' } },
          { status: 409 },
        )
      }),
    )
    const made = exchangeClaim({ state: 'ACCEPTED', exchange: feeAsked() })
    open(made, { collectionStatus: 'COLLECTION_COMPLETE' })
    await userEvent.click(await screen.findByRole('button', { name: '교환 배송비 $6.00 결제' }))
    expect((await screen.findByRole('alert')).textContent).toContain('이미 결제되었습니다.')
    expect(sent).toEqual([{ _order: 'o1', _claim: made._id }])
    cleanup()
    const paid = feeAsked({ status: 'PAY_COMPLETED' })
    open(exchangeClaim({ state: 'ACCEPTED', exchange: paid }), { collectionStatus: 'COLLECTION_COMPLETE' })
    await waitFor(async () => expect(await card('새 상품')).toContain('배송비 결제계좌 입금 확인'))
    expect(screen.queryByRole('button', { name: /교환 배송비/ })).toBeNull()
  })

  it('shows the way of the replacement, and why it is late', async () => {
    const paid = feeAsked({ status: 'PAY_COMPLETED', _payment: 'p2', method: 'card' })
    const sent = { ...paid, invoice: parcel, delayReason: '택배사 파업' }
    open(exchangeClaim({ state: 'ACCEPTED', exchange: sent }), { claimStatus: 'EXCHANGE_DELAYED' })
    expect(await current('교환 단계')).toBe('새 상품 배송')
    expect(screen.getByText('교환배송지연')).toBeTruthy()
    expect(screen.getByText(/새 상품의 배송이 늦어지고 있습니다\. 사유: 택배사 파업/)).toBeTruthy()
    await waitFor(async () => expect(await card('새 상품')).toContain('송장CJ대한통운 789'))
    expect(await card('새 상품')).toContain('배송비 결제결제 완료 (신용·체크카드)')
    expect(screen.getByRole('link', { name: '배송조회' }).getAttribute('href')).toBe('https://track.example/789')
  })

  it('does not mention a delay that is over', async () => {
    const sent = { ...terms, feePaid: true, invoice: parcel, delayReason: '택배사 파업' }
    open(exchangeClaim({ state: 'ACCEPTED', exchange: sent }), { claimStatus: 'EXCHANGE_SHIPPING' })
    expect(await screen.findByText('교환배송중')).toBeTruthy()
    expect(screen.queryByText(/택배사 파업/)).toBeNull()
  })

  it('is free if the seller is at fault', async () => {
    open(exchangeClaim({ fault: 'SELLER', exchange: { ...terms, fee: 0 } }))
    expect(await card('새 상품')).toContain('교환 배송비없음')
    expect(screen.queryByText(/입금/)).toBeNull()
  })

  it('says that what was paid goes back where the exchange was rejected after that', async () => {
    const back = feeAsked({ amount: 1_200, status: 'PAY_CANCELED', _payment: 'p2', method: 'card' })
    open(exchangeClaim({ state: 'REJECTED', rejection: '품절', exchange: { ...back, difference: 300, price: 600 } }))
    // A sentence of its own, however the reason ends.
    expect((await screen.findByText(/교환 신청이 거부되었습니다/)).textContent).toBe(
      '교환 신청이 거부되었습니다. 거부 사유: 품절',
    )
    expect(screen.getByText(/결제하신 교환 비용/).textContent).toBe(
      '결제하신 교환 비용 $12.00를 결제하신 수단으로 환불해 드립니다.',
    )
  })

  it('shows the difference of a dearer option, to be paid with the fee and not into the account', async () => {
    const asked = feeAsked({ amount: 1_200 })
    const dearer = exchangeClaim({ state: 'ACCEPTED', exchange: { ...asked, difference: 300, price: 600 } })
    open(dearer, { collectionStatus: 'COLLECTION_COMPLETE' })
    await screen.findByRole('button', { name: '교환 비용 $12.00 결제' })
    expect(await card('새 상품')).toMatch(
      /교환 배송비\$6\.00옵션 차액\$6\.00결제할 금액\$12\.00결제결제 대기교환 비용을 결제해 주세요/,
    )
    expect(screen.getByText(/교환 비용이 결제되면 새 상품을 보내 드립니다\.$/)).toBeTruthy()
    expect(screen.queryByText('입금 계좌')).toBeNull()
    cleanup()
    const alone = { ...terms, fee: 0, difference: 300, price: 600 }
    open(exchangeClaim({ state: 'ACCEPTED', fault: 'SELLER', exchange: alone }))
    expect(await card('새 상품')).toContain('교환 배송비없음옵션 차액$6.00결제할 금액$6.00')
  })

  it('shows what goes back for a cheaper option, before and after it is sent', async () => {
    const cheaper = { ...terms, fee: 0, difference: -300, differenceBack: { money: 500, points: 100 } }
    open(exchangeClaim({ state: 'ACCEPTED', exchange: cheaper }))
    expect(await card('새 상품')).toContain('돌려드릴 차액$5.00돌려드릴 적립금$1.00')
    cleanup()
    open(exchangeClaim({ state: 'ACCEPTED', exchange: { ...cheaper, invoice: parcel } }))
    await waitFor(async () => expect(await card('새 상품')).toContain('돌려드린 차액$5.00돌려드린 적립금$1.00'))
  })

  it('can be withdrawn until its goods are picked up', async () => {
    const made = exchangeClaim()
    const line = { claim: { _id: made._id, kind: made.kind, reason: made.reason, forStaff: false, feeDue: false } }
    open(made, { ...line, nextActions: ['withdrawClaim'] })
    await userEvent.click(await screen.findByRole('button', { name: '신청 철회' }))
    const question = within(await screen.findByRole('alertdialog', { name: '교환 신청을 철회할까요?' }))
    await userEvent.click(question.getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  it.each<[Partial<Claim>, string, number | undefined]>([
    [{}, 'NONE', 0],
    [{ state: 'ACCEPTED' }, 'COLLECTION_PENDING', 0],
    [{ state: 'ACCEPTED' }, 'COLLECTION_PROGRESS', 1],
    [{ state: 'ACCEPTED' }, 'COLLECTION_COMPLETE', 2],
    [{ state: 'ACCEPTED', exchange: { ...terms, invoice: parcel } }, 'COLLECTION_COMPLETE', 3],
    [{ state: 'COMPLETED', exchange: { ...terms, invoice: parcel } }, 'NONE', 4],
    [{ state: 'REJECTED' }, 'NONE', undefined],
  ])('%j with its goods at %s is at step %s', (part, collectionStatus, step) => {
    expect(stepOf(exchangeClaim(part), [purchase({ collectionStatus: collectionStatus as 'NONE' })])).toBe(step)
  })
})

it('a refunded cancellation shows that, to a guest too', async () => {
  storeGuestOrder('o1', 'guest-token')
  open(claim({ kind: 'CANCEL', state: 'COMPLETED', fault: null, by: 'staff' }))
  expect(await current('취소 단계')).toBe('환불 완료')
  expect(await card('환불 내역')).toBe('환불 내역환불 금액$1,000.00')
  expect(await card('취소 상품')).toContain('운영자가 취소했습니다')
  expect(screen.queryByRole('navigation', { name: '마이페이지' })).toBeNull()
  expect(screen.getByRole('link', { name: '주문 상세' }).getAttribute('href')).toBe('/shop/lookup?order=o1')
})

it.each<[Partial<Claim>, string, number | undefined]>([
  [{ kind: 'CANCEL' }, 'NONE', 0],
  [{ kind: 'CANCEL', state: 'APPROVED' }, 'NONE', 1],
  [{ kind: 'CANCEL', state: 'COMPLETED' }, 'NONE', 2],
  [{}, 'COLLECTION_PENDING', 0],
  [{}, 'COLLECTION_PROGRESS', 1],
  [{}, 'COLLECTION_COMPLETE', 2],
  [{ state: 'APPROVED' }, 'COLLECTION_COMPLETE', 2],
  [{ state: 'COMPLETED' }, 'COLLECTION_COMPLETE', 3],
  [{ state: 'REJECTED' }, 'COLLECTION_COMPLETE', undefined],
  [{ state: 'WITHDRAWN' }, 'NONE', undefined],
])('%j with its goods at %s is at step %s', (part, collectionStatus, step) => {
  expect(stepOf(claim(part), [purchase({ collectionStatus: collectionStatus as 'NONE' })])).toBe(step)
})
