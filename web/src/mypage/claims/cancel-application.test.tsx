// Cancellation by the piece: the selection is previewed and sent with the amounts shown; each created claim is shown.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { beginSession, endSession } from '../../api/session'
import type { OrderDetail } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { claim, order, purchase, refundPreview } from '../../testing/shop'
import { Component as ClaimsPage } from './index'

withServer()

const PREVIEW = '*/api/v1/me/orders/o1/cancel/preview'
const shown = { refund: 100000, points: 200 }

/** Paid with three pieces; in preparation; shipped. */
const three = purchase({ purchaseNo: 'a', name: '망고 주스', quantity: 3, nextActions: ['cancel'] })
const prepared = purchase({ purchaseNo: 'b', name: '스쿠터', nextActions: ['requestCancel'] })
const sentOff = purchase({ purchaseNo: 'c', name: '헬멧', nextActions: [] })

let now: OrderDetail
let asked: unknown[]
let sent: { body: unknown; key: string | null; token: string | null }[]

beforeEach(() => {
  endSession()
  now = order({ purchases: [three, prepared, sentOff] })
  asked = []
  sent = []
  server.use(
    http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: now })),
    http.post(PREVIEW, async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ preview: refundPreview() })
    }),
    http.post('*/api/v1/me/purchases/cancel', async ({ request }) => {
      sent.push(await noted(request))
      return HttpResponse.json({ order: now })
    }),
  )
})

const noted = async (request: Request) => ({
  body: await request.json(),
  key: request.headers.get('Idempotency-Key'),
  token: request.headers.get('Authorization'),
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

async function open(query = '&purchase=a') {
  renderPage(<ClaimsPage />, `/mypage/orders/cancel-application?order=o1${query}`)
  await screen.findByRole('heading', { name: '취소할 상품' })
  expect(screen.getByRole('heading', { name: '취소 사유' })).toBeTruthy()
  expect(screen.getByRole('group', { name: '취소 사유' })).toBeTruthy()
  await screen.findByText('환불 금액')
}
const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const submit = (name = '취소하기') => screen.getByRole('button', { name })
const isReady = (name?: string) => waitFor(() => expect(submit(name).ariaDisabled).toBe(null))
const choose = (reason: string) => userEvent.click(screen.getByRole('radio', { name: reason }))

describe('a member', () => {
  beforeEach(logIn)

  it('cancels one of three pieces: the selection is previewed, and sent with the amounts shown', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('주문 취소')
    expect([box(/망고 주스/).checked, box(/스쿠터/).checked]).toEqual([true, false])
    expect(screen.queryByText('헬멧')).toBeNull()
    const stepper = within(screen.getByRole('group', { name: '망고 주스 취소할 수량' }))
    await userEvent.click(stepper.getByRole('button', { name: '수량 줄이기' }))
    await userEvent.click(stepper.getByRole('button', { name: '수량 줄이기' }))
    await waitFor(() =>
      expect(asked).toEqual([3, 2, 1].map((quantity) => ({ _purchases: ['a'], quantities: [quantity] }))),
    )
    await isReady()
    expect(await a11yViolations()).toEqual([])

    await userEvent.click(submit())
    expect(screen.getByRole('alert').textContent).toBe('사유를 선택해 주세요.')
    expect(document.activeElement).toBe(screen.getAllByRole('radio')[0])
    expect(sent).toEqual([])
    await choose('배송이 늦어요')
    now = order({ claims: [claim({ kind: 'CANCEL', state: 'APPROVED', purchaseNos: ['a'] })], purchases: [three] })
    await userEvent.click(submit())
    const done = await screen.findByRole('heading', { level: 2, name: '취소했습니다' })
    expect(document.activeElement).toBe(done)
    expect(sent.map(({ body }) => body)).toEqual([
      { _purchases: ['a'], quantities: [1], reason: '배송이 늦어요', shown },
    ])
    expect(screen.getByText('취소했습니다. 환불이 끝나면 ‘취소완료’로 바뀝니다.')).toBeTruthy()
    expect(screen.getByRole('link', { name: '신청 내역 보기' }).getAttribute('href')).toBe(
      '/mypage/orders/cancel-detail?order=o1&claim=k1',
    )
    expect(screen.getByRole('link', { name: '주문 상세' }).getAttribute('href')).toBe('/mypage/orders-detail?order=o1')
    expect(await a11yViolations()).toEqual([])
  })

  it('starts with all cancelable purchases selected, and sees which are canceled at once and which need approval', async () => {
    const [line] = refundPreview().lines
    server.use(
      http.post(PREVIEW, () =>
        HttpResponse.json({
          preview: refundPreview({
            atOnce: false,
            lines: [line, { ...line, purchaseNo: 'b', name: '스쿠터', atOnce: false }] as never,
          }),
        }),
      ),
    )
    const earlier = claim({ _id: 'earlier', kind: 'CANCEL', state: 'COMPLETED' })
    now = { ...now, claims: [earlier] }
    await open('')
    expect(box(/전체 선택/).checked).toBe(true)
    expect(screen.getByText('준비 중 · 판매자 승인 후 취소')).toBeTruthy()
    expect(screen.getAllByText('판매자가 승인하면 돌려드립니다.')).toHaveLength(1)
    await isReady('취소 신청하기')
    await choose('다른 곳에서 샀어요')
    now = {
      ...now,
      claims: [
        earlier,
        claim({ _id: 'k1', kind: 'CANCEL', state: 'APPROVED', purchaseNos: ['a'] }),
        claim({ _id: 'k2', kind: 'CANCEL', state: 'REQUESTED', purchaseNos: ['b'] }),
      ],
    }
    await userEvent.click(submit('취소 신청하기'))
    await screen.findByRole('heading', { level: 2, name: '취소를 신청했습니다' })
    expect(sent[0]?.body).toMatchObject({ _purchases: ['a', 'b'], quantities: [3, 1] })
    const made = screen.getAllByRole('listitem').filter((one) => one.textContent?.includes('환불 예정 금액'))
    expect(made.map((one) => one.textContent)).toEqual([
      expect.stringContaining('망고 주스 · 3개'),
      expect.stringMatching(/스쿠터.*판매자의 승인이 필요합니다/),
    ])
  })

  it('selects manually if the purchase they came from cannot be canceled', async () => {
    renderPage(<ClaimsPage />, '/mypage/orders/cancel-application?order=o1&purchase=c')
    await screen.findByText('취소할 상품을 선택하면 환불 예정 내역을 보여 드립니다.')
    expect([box(/망고 주스/).checked, box(/스쿠터/).checked]).toEqual([false, false])
    expect(asked).toEqual([])
  })

  it('cannot send while the amounts on screen are those of another selection', async () => {
    await open()
    await isReady()
    let answer = () => {}
    const isAnswered = new Promise<void>((done) => {
      answer = done
    })
    server.use(
      http.post(PREVIEW, async () => {
        await isAnswered
        return HttpResponse.json({
          preview: refundPreview({ refund: { amount: 5000, method: 'card', reason: null } }),
        })
      }),
    )
    await choose('배송이 늦어요')
    await userEvent.click(screen.getByRole('button', { name: '수량 줄이기' }))
    // The last amounts stay visible.
    expect(screen.getAllByText('$1,000.00').length).toBeGreaterThan(0)
    expect(submit().ariaDisabled).toBe('true')
    await userEvent.click(submit())
    expect(sent).toEqual([])
    answer()
    await isReady()
    await userEvent.click(submit())
    await screen.findByRole('heading', { name: '취소했습니다' })
    expect(sent.map(({ body }) => body)).toMatchObject([{ quantities: [2], shown: { refund: 5000, points: 200 } }])
  })

  it('cannot send an empty selection', async () => {
    await open()
    await userEvent.click(box(/망고 주스/))
    expect(screen.getByText('취소할 상품을 선택하면 환불 예정 내역을 보여 드립니다.')).toBeTruthy()
    await choose('배송이 늦어요')
    await userEvent.click(submit())
    expect(screen.getByText('취소할 상품을 선택해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('sees new amounts before they apply, and sends them as another command', async () => {
    server.use(
      http.post(PREVIEW, async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json({
          preview: refundPreview({ refund: { amount: asked.length * 1000, method: 'card', reason: null } }),
        })
      }),
      http.post('*/api/v1/me/purchases/cancel', async ({ request }) => {
        sent.push(await noted(request))
        return sent.length === 1
          ? HttpResponse.json(
              { error: { code: 'refund_changed', message: '돌려드리는 금액이 바뀌었습니다. 다시 확인해 주세요.' } },
              { status: 409 },
            )
          : HttpResponse.json({ order: now })
      }),
    )
    await open()
    await screen.findAllByText('$10.00')
    await choose('배송이 늦어요')
    await userEvent.click(submit())
    await screen.findByText('돌려드리는 금액이 바뀌었습니다. 다시 확인해 주세요.')
    await screen.findAllByText('$20.00')
    await isReady()
    await userEvent.click(submit())
    await screen.findByRole('heading', { name: '취소했습니다' })
    expect(sent.map(({ body }) => body)).toMatchObject([
      { shown: { refund: 1000, points: 200 } },
      { shown: { refund: 2000, points: 200 } },
    ])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  })

  it('cancels no second piece when the response to the first was lost', async () => {
    server.use(
      http.post('*/api/v1/me/purchases/cancel', async ({ request }) => {
        sent.push(await noted(request))
        return sent.length < 3 ? HttpResponse.error() : HttpResponse.json({ order: now })
      }),
    )
    await open()
    await isReady()
    await choose('배송이 늦어요')
    await userEvent.click(submit())
    await screen.findByRole('alert')
    await userEvent.click(submit())
    await waitFor(() => expect(sent).toHaveLength(2))
    // Another claim is another command.
    await userEvent.click(box(/스쿠터/))
    await isReady('취소 신청하기')
    await userEvent.click(submit('취소 신청하기'))
    await waitFor(() => expect(sent).toHaveLength(3))
    const [first, second, third] = sent.map(({ key }) => key)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it.each([true, false])('cancels once on a double click (a slow server: %s)', async (slow) => {
    server.use(
      http.post('*/api/v1/me/purchases/cancel', async ({ request }) => {
        sent.push(await noted(request))
        if (slow) await delay(50)
        return HttpResponse.json({ order: now })
      }),
    )
    await open()
    await isReady()
    await choose('배송이 늦어요')
    // Twice before the next render, or like a human.
    if (slow) for (const detail of [1, 2]) fireEvent.click(submit(), { detail })
    else await userEvent.dblClick(submit())
    await screen.findByRole('heading', { name: '취소했습니다' })
    expect(sent).toHaveLength(1)
  })

  it("sees the server's refusal at the goods it is about", async () => {
    server.use(
      http.post('*/api/v1/me/purchases/cancel', () =>
        HttpResponse.json(
          {
            error: {
              code: 'invalid',
              message: '확인해 주세요.',
              fields: [{ field: 'quantities.0', code: 'range', message: '1개부터 2개까지 취소할 수 있습니다.' }],
            },
          },
          { status: 400 },
        ),
      ),
    )
    await open()
    await isReady()
    await choose('배송이 늦어요')
    await userEvent.click(submit())
    const told = await screen.findByText('1개부터 2개까지 취소할 수 있습니다.')
    expect(screen.getByRole('group', { name: '취소할 상품' }).getAttribute('aria-describedby')).toBe(told.id)
  })

  it('sees that nothing can be canceled any more', async () => {
    now = order({ purchases: [sentOff] })
    renderPage(<ClaimsPage />, '/mypage/orders/cancel-application?order=o1')
    expect(await screen.findByText('취소할 수 있는 상품이 없습니다')).toBeTruthy()
    expect(screen.getByRole('link', { name: '주문 상세' })).toBeTruthy()
    expect(asked).toEqual([])
  })

  it('is redirected to the orders without one to cancel', async () => {
    renderPage(<ClaimsPage />, '/mypage/orders/cancel-application')
    expect(await screen.findByText('조회할 주문을 선택해 주세요')).toBeTruthy()
    const page = within(screen.getByRole('main'))
    expect(page.getByRole('link', { name: '주문 내역' }).getAttribute('href')).toBe('/mypage/orders')
  })
})

it('an unpaid order is canceled as a whole', async () => {
  logIn()
  now = order({
    status: 'ORDER_NONPAYMENT',
    nextActions: ['pay', 'cancel'],
    purchases: [purchase({ purchaseNo: 'a', name: '망고 주스', quantity: 3 })],
  })
  server.use(
    http.post('*/api/v1/me/orders/o1/cancel', async ({ request }) => {
      sent.push(await noted(request))
      return HttpResponse.json({ order: now })
    }),
  )
  await open('')
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.getByText('망고 주스 · 3개')).toBeTruthy()
  await isReady()
  await choose('직접 입력')
  await userEvent.type(screen.getByLabelText('사유'), '잘못 골랐어요')
  await userEvent.click(submit())
  expect(await screen.findByText('결제하지 않은 주문이라 환불할 금액이 없습니다.')).toBeTruthy()
  expect(asked).toEqual([{}])
  expect(sent.map(({ body }) => body)).toEqual([{ reason: '잘못 골랐어요', shown }])
})

it('a guest cancels the order they found, on a page without the member menu', async () => {
  storeGuestOrder('o1', 'guest-token')
  await open()
  expect(screen.queryByRole('navigation', { name: '마이페이지' })).toBeNull()
  await isReady()
  await choose('배송이 늦어요')
  await userEvent.click(submit())
  await screen.findByRole('heading', { name: '취소했습니다' })
  expect(sent.map(({ token }) => token)).toEqual(['Bearer guest-token'])
  expect(screen.getByRole('link', { name: '주문 상세' }).getAttribute('href')).toBe('/shop/lookup?order=o1')
})
