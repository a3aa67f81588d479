// Exchange by the piece: for an option in stock, with the cost shown before it is sent; the replacement is sent to the
// pickup address.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { beginSession, endSession } from '../../api/session'
import type { ExchangeChoices, OrderDetail, Party } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { claim, exchangeClaim, order, purchase } from '../../testing/shop'
import { Component as ClaimsPage } from './index'

withServer()

const receiver = {
  name: '김철수',
  phone: '01087654321',
  postcode: '04524',
  address1: '서울 중구 세종대로 110',
  address2: '3층',
} as Party
const two = purchase({
  purchaseNo: 'a',
  name: '봄날 시티 바이크',
  optionName: '민트',
  quantity: 2,
  nextActions: ['requestReturn', 'requestExchange', 'confirm'],
})
const other = purchase({ purchaseNo: 'b', name: '헬멧', nextActions: ['requestExchange'] })
const EXCHANGE = '*/api/v1/me/purchases/a/exchange'

type ExchangeChoice = ExchangeChoices['choices'][number]
const offer = (part: Partial<ExchangeChoice>): ExchangeChoice => ({
  _id: null,
  name: null,
  ordered: false,
  available: 0,
  difference: 0,
  price: 0,
  back: { money: 0, points: 0 },
  ...part,
})

let now: OrderDetail
let offered: ExchangeChoices
let reads: number
let quantities: (string | null)[]
let sent: { body: unknown; key: string | null; token: string | null }[]

beforeEach(() => {
  endSession()
  now = order({ purchases: [two, other], receiver })
  offered = {
    choices: [
      offer({ _id: 'mint', name: '민트', ordered: true, available: 5 }),
      offer({ _id: 'pink', name: '분홍', available: 1, difference: -300, back: { money: 200, points: 100 } }),
      offer({ _id: 'gray', name: '회색', available: 0 }),
    ],
    fee: 600,
  }
  reads = 0
  quantities = []
  sent = []
  server.use(
    http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: now })),
    http.get('*/api/v1/me/destinations', () => HttpResponse.json({ destinations: [] })),
    http.get(EXCHANGE, ({ request }) => {
      reads += 1
      quantities.push(new URL(request.url).searchParams.get('quantity'))
      return HttpResponse.json(offered)
    }),
    http.post(EXCHANGE, async ({ request }) => {
      sent.push({
        body: await request.json(),
        key: request.headers.get('Idempotency-Key'),
        token: request.headers.get('Authorization'),
      })
      await delay(20)
      return HttpResponse.json({ order: { ...now, claims: [exchangeClaim({ purchaseNos: ['a'] })] } })
    }),
  )
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

async function open(query = '&purchase=a') {
  renderPage(<ClaimsPage />, `/mypage/orders/exchange-application?order=o1${query}`)
  await screen.findByText(/더 저렴한 옵션은 차액을 돌려드리고/)
}
const submit = () => screen.getByRole('button', { name: '교환 신청하기' })
const radio = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
const choose = (name: string | RegExp) => userEvent.click(radio(name))
const cost = () => screen.getByRole('heading', { name: '교환 배송비' }).closest('section')?.textContent
const less = () => userEvent.click(screen.getByRole('button', { name: '수량 줄이기' }))
const isDone = () => screen.findByRole('heading', { level: 2, name: '교환을 신청했습니다' })

describe('a member', () => {
  beforeEach(logIn)

  it('exchanges one of two pieces for another option, and sees the fee first', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('교환 신청')
    // One of these is in stock, and none of those.
    expect([
      radio(/민트.*주문한 옵션/).disabled,
      radio(/분홍.*재고 1개/).disabled,
      radio(/회색.*품절/).disabled,
    ]).toEqual([false, true, true])
    await less()
    await choose(/분홍/)
    expect(cost()).toContain('교환 사유를 선택하면')
    await choose('사이즈나 색상이 맞지 않아요')
    expect(cost()).toMatch(/왕복 배송비\$6\.00교환 배송비는 .*계좌이체로 받습니다/)
    expect(screen.getByText('이 주소에서 상품을 수거하고, 새 상품도 이 주소로 보내 드립니다.')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(submit())
    const done = await isDone()
    expect(document.activeElement).toBe(done)
    const why = { reason: '사이즈나 색상이 맞지 않아요', fault: 'BUYER', fee: 600 }
    const said = { quantity: 1, _option: 'pink', difference: -300, ...why }
    expect(sent).toMatchObject([{ body: { ...said, pickup: receiver }, token: 'Bearer a' }])
    expect(screen.getByText('교환해서 받을 옵션: 분홍')).toBeTruthy()
    expect(screen.getByText(/판매자가 승인하면 수거하고/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '신청 내역 보기' }).getAttribute('href')).toBe(
      '/mypage/orders/exchange-detail?order=o1&claim=k1',
    )
  })

  it('pays nothing if the seller is at fault, and gets the same option again', async () => {
    await open()
    await choose(/민트/)
    await choose('상품에 하자가 있어요')
    expect(cost()).toMatch(/판매자 부담\$0\.00/)
    await userEvent.click(submit())
    await isDone()
    expect(sent[0]?.body).toMatchObject({ quantity: 2, _option: 'mint', fault: 'SELLER' })
    expect(sent[0]?.body).not.toHaveProperty('fee')
  })

  it('sees what a cheaper option costs less a piece, and what goes back for the pieces', async () => {
    await open()
    expect(screen.getByText('개당 -$3.00 · 재고 1개')).toBeTruthy()
    const back = () => screen.queryByRole('heading', { name: '차액 환불' })?.closest('section')?.textContent
    await choose(/민트/)
    expect(back()).toBeUndefined()
    await less()
    await choose(/분홍.*-\$3\.00/)
    expect(back()).toMatch(/돌려드릴 차액\$2\.00돌려드릴 적립금\$1\.00차액은 새 상품을 보내 드릴 때/)
    await waitFor(() => expect(quantities).toEqual(['2', '1']))
  })

  it('sees that nothing goes back where discounts paid for the difference', async () => {
    offered = { choices: [offer({ _id: 'pink', name: '분홍', available: 2, difference: -300 })], fee: 600 }
    await open()
    expect(screen.getByText(/돌려드릴 차액이 없습니다/)).toBeTruthy()
  })

  it('sees what a dearer option costs more, and pays it with the fare of the way only', async () => {
    offered = {
      choices: [offer({ _id: 'pink', name: '분홍', available: 2, difference: 300, price: 600 })],
      fee: 500,
    }
    await open()
    expect(screen.getByText('개당 +$3.00')).toBeTruthy()
    const all = () => screen.getByRole('heading', { name: '교환 비용' }).closest('section')?.textContent
    expect(all()).toContain('결제하실 금액을 보여 드립니다')
    expect(screen.queryByRole('heading', { name: '차액 환불' })).toBeNull()
    await choose('상품에 하자가 있어요')
    expect(all()).toMatch(/옵션 차액\$6\.00배송비 판매자 부담\$0\.00결제하실 금액\$6\.00/)
    await choose('사이즈나 색상이 맞지 않아요')
    expect(all()).toMatch(/옵션 차액\$6\.00왕복 배송비\$5\.00결제하실 금액\$11\.00지금은 결제하지 않습니다/)
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(submit())
    await isDone()
    expect(sent[0]?.body).toMatchObject({ _option: 'pink', difference: 300, fee: 500 })
  })

  it('sees what is missing, from the top', async () => {
    await open()
    await userEvent.click(submit())
    expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([
      '교환해서 받을 상품을 선택해 주세요.',
      '사유를 선택해 주세요.',
    ])
    expect(document.activeElement).toBe(radio(/민트/))
    await choose(/민트/)
    await choose('직접 입력')
    await userEvent.type(screen.getByLabelText('사유'), '나사가 빠져 있어요')
    await userEvent.click(submit())
    expect(screen.getByRole('alert').textContent).toBe('누구의 사정인지 선택해 주세요.')
    expect(sent).toEqual([])
  })

  it('loses a selected option when the quantity exceeds its stock, and gets it back for a lower one', async () => {
    await open()
    await less()
    await choose(/분홍/)
    await userEvent.click(screen.getByRole('button', { name: '수량 늘리기' }))
    expect(radio(/분홍/).checked).toBe(false)
    await choose('마음이 바뀌었어요')
    await userEvent.click(submit())
    expect(screen.getByRole('alert').textContent).toBe('교환해서 받을 상품을 선택해 주세요.')
    await less()
    expect(radio(/분홍/).checked).toBe(true)
    expect(sent).toEqual([])
  })

  it('does not have to choose a single option', async () => {
    offered = { choices: [offer({ ordered: true, available: 2 })], fee: 600 }
    await open()
    expect(radio('같은 상품').checked).toBe(true)
    await choose('마음이 바뀌었어요')
    await userEvent.click(submit())
    await isDone()
    expect(sent[0]?.body).not.toHaveProperty('_option')
  })

  it('is referred to a return if nothing is in stock to exchange it for', async () => {
    offered = { choices: [offer({ ordered: true, available: 0 })], fee: 600 }
    await open()
    const told = within(screen.getByText(/재고가 부족합니다/).parentElement as HTMLElement)
    expect(told.getByRole('link', { name: '반품신청' }).getAttribute('href')).toBe(
      '/mypage/orders/return-application?order=o1&purchase=a',
    )
    expect(radio(/같은 상품.*품절/).disabled).toBe(true)
  })

  it('sees at its field that an option was sold out meanwhile, and the current stock', async () => {
    server.use(
      http.post(EXCHANGE, () => {
        offered = { ...offered, choices: [offer({ _id: 'mint', name: '민트', ordered: true, available: 0 })] }
        const field = { field: '_option', code: 'sold_out', message: '선택하신 옵션은 재고가 부족합니다.' }
        return HttpResponse.json({ error: { code: 'invalid', message: '확인', fields: [field] } }, { status: 400 })
      }),
    )
    await open()
    await choose(/민트/)
    await choose('마음이 바뀌었어요')
    await userEvent.click(submit())
    expect(await screen.findByRole('radio', { name: /민트.*품절/ })).toBeTruthy()
    expect(reads).toBe(2)
    expect(sent).toEqual([])
  })

  it('sees a new fee before it applies', async () => {
    let tries = 0
    server.use(
      http.post(EXCHANGE, async ({ request }) => {
        tries += 1
        sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key'), token: null })
        offered = { ...offered, fee: 800 }
        return tries === 1
          ? HttpResponse.json(
              { error: { code: 'price_changed', message: '금액이 바뀌었습니다. 다시 확인해 주세요.' } },
              { status: 409 },
            )
          : HttpResponse.json({ order: now })
      }),
    )
    await open()
    await choose(/민트/)
    await choose('마음이 바뀌었어요')
    await userEvent.click(submit())
    await screen.findByText('금액이 바뀌었습니다. 다시 확인해 주세요.')
    await waitFor(() => expect(cost()).toContain('$8.00'))
    await waitFor(() => expect(submit().ariaDisabled).toBe(null))
    await userEvent.click(submit())
    await isDone()
    expect(sent.map(({ body }) => body)).toMatchObject([{ fee: 600 }, { fee: 800 }])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  })

  it('applies once on a double click', async () => {
    await open()
    await choose(/민트/)
    await choose('마음이 바뀌었어요')
    for (const detail of [1, 2]) fireEvent.click(submit(), { detail })
    await isDone()
    expect(sent).toHaveLength(1)
  })

  it('sees why the options cannot be loaded, and loads them again', async () => {
    let fails = true
    server.use(
      http.get(EXCHANGE, () =>
        fails
          ? HttpResponse.json({ error: { code: 'internal', message: '잠시 후 다시 시도해 주세요.' } }, { status: 500 })
          : HttpResponse.json(offered),
      ),
    )
    renderPage(<ClaimsPage />, '/mypage/orders/exchange-application?order=o1&purchase=a')
    expect(await screen.findByText('잠시 후 다시 시도해 주세요.')).toBeTruthy()
    expect(submit().ariaDisabled).toBe('true')
    fails = false
    await userEvent.click(screen.getByRole('button', { name: /다시/ }))
    expect(await screen.findByRole('radio', { name: /민트/ })).toBeTruthy()
  })

  it('chooses among several purchases; finds earlier applications; sees if none is possible', async () => {
    const path = '/mypage/orders/exchange-application?order=o1'
    const first = renderPage(<ClaimsPage />, path)
    await screen.findByRole('heading', { name: '교환할 상품을 선택해 주세요' })
    expect(screen.getByRole('link', { name: '헬멧 교환신청' }).getAttribute('href')).toBe(`${path}&purchase=b`)
    first.unmount()
    now = order({ purchases: [purchase()], claims: [exchangeClaim(), claim({ _id: 'return' })] })
    const second = renderPage(<ClaimsPage />, path)
    expect(await screen.findByText('이미 교환을 신청했습니다')).toBeTruthy()
    expect(screen.getByRole('link', { name: '신청 내역 보기' }).getAttribute('href')).toBe(
      '/mypage/orders/exchange-detail?order=o1&claim=k1',
    )
    second.unmount()
    now = order({ purchases: [purchase()], claims: [exchangeClaim({ state: 'WITHDRAWN' })] })
    renderPage(<ClaimsPage />, path)
    expect(await screen.findByText('교환을 신청할 수 있는 상품이 없습니다')).toBeTruthy()
  })
})

it('a guest exchanges with the token of the order', async () => {
  storeGuestOrder('o1', 'guest-token')
  await open()
  await choose(/민트/)
  await choose('마음이 바뀌었어요')
  await userEvent.click(submit())
  await isDone()
  expect(sent.map(({ token }) => token)).toEqual(['Bearer guest-token'])
})
