// Return by the piece: the reason implies the fault, the pickup address defaults to the delivery address, and the
// refund is shown with its fees before it is sent.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeGuestOrder } from '../../api/guestOrders'
import { beginSession, endSession } from '../../api/session'
import type { OrderDetail, Party } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { claim, order, purchase, refundPreview } from '../../testing/shop'
import { Component as ClaimsPage } from './index'

withServer()

const receiver = {
  name: '김철수',
  phone: '01087654321',
  postcode: '04524',
  address1: '서울 중구 세종대로 110',
  address2: '3층',
} as Party
const two = purchase({ purchaseNo: 'a', name: '망고 주스', quantity: 2, nextActions: ['requestReturn', 'confirm'] })
const other = purchase({ purchaseNo: 'b', name: '헬멧', nextActions: ['requestReturn'] })
const shown = { refund: 100000, points: 200 }

let now: OrderDetail
let asked: unknown[]
let sent: { url: string; body: unknown; token: string | null }[]

beforeEach(() => {
  endSession()
  now = order({ purchases: [two, other], receiver })
  asked = []
  sent = []
  server.use(
    http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: now })),
    http.get('*/api/v1/me/destinations', () =>
      HttpResponse.json({
        destinations: [
          {
            _id: 'd1',
            title: '회사',
            name: '홍길동',
            phone: '01011112222',
            postcode: '06236',
            address1: '서울 강남구 테헤란로 152',
            address2: '',
            isDefault: true,
          },
        ],
      }),
    ),
    http.post('*/api/v1/me/purchases/a/return/preview', async ({ request }) => {
      const body = (await request.json()) as { fault: string }
      asked.push(body)
      const fees = [{ kind: 'RETURN_FARE' as const, amount: 300, reason: '구매자 사정이라 반품 배송비를 뺍니다.' }]
      return HttpResponse.json({ preview: refundPreview({ fees: body.fault === 'BUYER' ? fees : [] }) })
    }),
    http.post('*/api/v1/me/purchases/a/return', async ({ request }) => {
      const { pathname } = new URL(request.url)
      sent.push({ url: pathname, body: await request.json(), token: request.headers.get('Authorization') })
      return HttpResponse.json({ order: { ...now, claims: [claim({ purchaseNos: ['a'] })] } })
    }),
  )
})

const logIn = () =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })

async function open(query = '&purchase=a') {
  renderPage(<ClaimsPage />, `/mypage/orders/return-application?order=o1${query}`)
  await screen.findByRole('heading', { name: '반품할 상품' })
}
const submit = () => screen.getByRole('button', { name: '반품 신청하기' })
const isReady = () => waitFor(() => expect(submit().ariaDisabled).toBe(null))
const choose = (name: string | RegExp) => userEvent.click(screen.getByRole('radio', { name }))

describe('a member', () => {
  beforeEach(logIn)

  it('returns one of two pieces, picked up at the delivery address, with the fee shown', async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: '수량 줄이기' }))
    expect(asked).toEqual([])
    expect(screen.getByText('반품 사유를 선택하면 환불 예정 내역을 보여 드립니다.')).toBeTruthy()
    await choose('마음이 바뀌었어요')
    const fee = (await screen.findByText('반품 배송비')).parentElement
    expect(fee?.textContent).toBe('반품 배송비-$3.00구매자 사정이라 반품 배송비를 뺍니다.')
    expect(asked).toEqual([{ quantity: 1, fault: 'BUYER' }])
    expect(screen.getByLabelText<HTMLInputElement>(/^보내는 분/).value).toBe('김철수')
    await isReady()
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(submit())
    const done = await screen.findByRole('heading', { level: 2, name: '반품을 신청했습니다' })
    expect(document.activeElement).toBe(done)
    const pickup = { ...receiver }
    expect(sent).toEqual([
      {
        url: '/api/v1/me/purchases/a/return',
        body: { quantity: 1, reason: '마음이 바뀌었어요', fault: 'BUYER', pickup, shown },
        token: 'Bearer a',
      },
    ])
    expect(screen.getByRole('link', { name: '신청 내역 보기' }).getAttribute('href')).toBe(
      '/mypage/orders/return-detail?order=o1&claim=k1',
    )
  })

  it('adds at most five pictures, and the application names those that were accepted', async () => {
    let uploads = 0
    let made = 0
    let isRefused = false
    Object.assign(URL, { createObjectURL: () => `blob:${++made}`, revokeObjectURL: () => undefined })
    const message = '손상된 사진입니다. 다른 파일을 올려 주세요.'
    const refusal = { code: 'invalid', message, fields: [{ field: 'image', code: 'broken_image', message }] }
    let openGate: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      openGate = resolve
    })
    server.use(
      http.post('*/api/v1/me/purchases/a/pictures', async () => {
        if (uploads === 4) await gate
        if (isRefused) return HttpResponse.json({ error: refusal }, { status: 400 })
        uploads += 1
        return HttpResponse.json({ picture: `p${uploads}` }, { status: 201 })
      }),
    )
    await open()
    await choose('다른 상품이 왔어요')
    await isReady()
    const input = screen.getByLabelText<HTMLInputElement>('사진 추가')
    const file = (name: string) => new File(['x'], name, { type: 'image/png' })
    await userEvent.upload(input, ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png'].map(file))
    await screen.findByText('사진 (5/5)')
    expect(screen.getByLabelText<HTMLInputElement>('5장까지 올릴 수 있습니다').disabled).toBe(true)
    await userEvent.click(submit())
    await screen.findByText('사진을 올리고 있습니다. 잠시 후 다시 눌러 주세요.')
    expect(sent).toEqual([])
    openGate()
    await waitFor(() => expect(screen.queryByText('사진을 올리고 있습니다. 잠시 후 다시 눌러 주세요.')).toBeNull())
    expect(uploads).toBe(5)
    await userEvent.click(screen.getByRole('button', { name: '사진 2 삭제' }))
    isRefused = true
    await userEvent.upload(screen.getByLabelText('사진 추가'), file('broken.png'))
    await waitFor(() => expect(screen.getByText('사진 (4/5)')).toBeTruthy())
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(submit())
    await screen.findByRole('heading', { name: '반품을 신청했습니다' })
    expect(sent[0]?.body).toMatchObject({ pictures: ['p1', 'p3', 'p4', 'p5'] })
  })

  it('pays no fee if the seller is at fault, with a reason in their own words', async () => {
    await open()
    await choose('다른 상품이 왔어요')
    await waitFor(() => expect(asked).toEqual([{ quantity: 2, fault: 'SELLER' }]))
    await screen.findByText('환불 금액')
    expect(screen.queryByText('반품 배송비')).toBeNull()

    await choose('직접 입력')
    await userEvent.type(screen.getByLabelText('사유'), '나사가 빠져 있어요')
    await userEvent.click(submit())
    expect(screen.getByText('누구의 사정인지 선택해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await choose(/상품이나 배송에 문제가 있어요/)
    await isReady()
    await userEvent.click(submit())
    await screen.findByRole('heading', { name: '반품을 신청했습니다' })
    expect(sent[0]?.body).toMatchObject({ quantity: 2, reason: '나사가 빠져 있어요', fault: 'SELLER' })
  })

  it('has them picked up elsewhere: at a saved address, or a typed and validated one', async () => {
    await open()
    await choose('상품에 하자가 있어요')
    await userEvent.click(await screen.findByRole('button', { name: '배송지 목록' }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /회사/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const postcode = screen.getByLabelText<HTMLInputElement>(/^우편번호/)
    expect(postcode.value).toBe('06236')
    await userEvent.clear(postcode)
    await isReady()
    await userEvent.click(submit())
    expect(screen.getByRole('alert').textContent).toBe('우편번호를 숫자 5자리로 입력해 주세요.')
    expect(document.activeElement).toBe(postcode)
    await userEvent.type(postcode, '06237')
    await userEvent.click(submit())
    await screen.findByRole('heading', { name: '반품을 신청했습니다' })
    expect(sent[0]?.body).toMatchObject({
      pickup: { name: '홍길동', phone: '01011112222', postcode: '06237', address1: '서울 강남구 테헤란로 152' },
    })
  })

  it("sees the server's refusal at its field", async () => {
    server.use(
      http.post('*/api/v1/me/purchases/a/return', () =>
        HttpResponse.json(
          {
            error: {
              code: 'invalid',
              message: '확인해 주세요.',
              fields: [
                { field: 'quantity', code: 'range', message: '1개만 반품할 수 있습니다.' },
                { field: 'pickup.address2', code: 'too_long', message: '너무 깁니다.' },
              ],
            },
          },
          { status: 400 },
        ),
      ),
    )
    await open()
    await choose('마음이 바뀌었어요')
    await isReady()
    await userEvent.click(submit())
    expect(await screen.findByText('1개만 반품할 수 있습니다.')).toBeTruthy()
    expect(screen.getByLabelText('상세주소').getAttribute('aria-invalid')).toBe('true')
  })

  it('sees new amounts when they have changed', async () => {
    let tries = 0
    server.use(
      http.post('*/api/v1/me/purchases/a/return', () => {
        tries += 1
        return HttpResponse.json(
          { error: { code: 'refund_changed', message: '돌려드리는 금액이 바뀌었습니다.' } },
          { status: 409 },
        )
      }),
    )
    await open()
    await choose('마음이 바뀌었어요')
    await isReady()
    await userEvent.click(submit())
    await screen.findByText('돌려드리는 금액이 바뀌었습니다.')
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(tries).toBe(1)
  })

  it('chooses among several purchases, and sees if none is possible', async () => {
    const { unmount } = renderPage(<ClaimsPage />, '/mypage/orders/return-application?order=o1')
    await screen.findByRole('heading', { name: '반품할 상품을 선택해 주세요' })
    expect(screen.getByRole('link', { name: '헬멧 반품신청' }).getAttribute('href')).toBe(
      '/mypage/orders/return-application?order=o1&purchase=b',
    )
    unmount()
    now = order({ purchases: [purchase({ purchaseNo: 'a', nextActions: [] })] })
    renderPage(<ClaimsPage />, '/mypage/orders/return-application?order=o1&purchase=a')
    expect(await screen.findByText('반품을 신청할 수 있는 상품이 없습니다')).toBeTruthy()
  })
})

it("a guest returns with the order's token, and has no saved addresses", async () => {
  storeGuestOrder('o1', 'guest-token')
  await open()
  await choose('마음이 바뀌었어요')
  await isReady()
  expect(screen.queryByRole('button', { name: '배송지 목록' })).toBeNull()
  await userEvent.click(submit())
  await screen.findByRole('heading', { name: '반품을 신청했습니다' })
  expect(sent.map(({ token }) => token)).toEqual(['Bearer guest-token'])
})
