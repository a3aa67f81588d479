// Staff correct the receiver of an order and keep a note on it.

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderOrderPage } from '../../testing/orderPage'
import { server, withServer } from '../../testing/server'
import { happened, order } from '../testing'
import type { Order } from '../types'
import { changes } from './orderDiff'

withServer()

const receiver = {
  title: null,
  name: '김철수',
  phone: '01011112222',
  email: null,
  postcode: '06236',
  address1: '서울시 강남구 테헤란로 1',
  address2: null,
  geolocation: null,
}
const before = order({ nextActions: ['cancel', 'correctReceiver'], receiver })
let shown: Order
let sent: unknown[] = []
const path = '*/api/console/shop/orders/o1'

const staff = () =>
  beginSession({
    refreshToken: 'r',
    accessToken: 'a',
    payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] },
  })

beforeEach(() => {
  staff()
  shown = before
  sent = []
  server.use(
    http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {}, couriers: [] })),
    http.get(path, () => HttpResponse.json({ order: shown })),
    http.get(`${path}/history`, () =>
      HttpResponse.json({
        events: [
          happened(10, 'OrderPlaced', '주문이 접수되었습니다'),
          happened(20, 'StaffNoteWritten', '직원 메모가 변경되었습니다'),
        ],
      }),
    ),
    http.get(`${path}/asof`, ({ request }) => {
      const position = new URL(request.url).searchParams.get('position')
      const then = { ...before, remark: position === '10' ? undefined : '선물 포장' }
      return HttpResponse.json({ order: then, position: Number(position) })
    }),
    http.put(path, async ({ request }) => {
      const body = (await request.json()) as { receiver?: Order['receiver']; remark?: string }
      sent.push(body)
      shown = {
        ...shown,
        receiver: body.receiver ?? shown.receiver,
        remark: body.remark === undefined ? shown.remark : body.remark || undefined,
      }
      return HttpResponse.json({ order: shown })
    }),
  )
})

const refuse = (status: number, error: object) =>
  server.use(http.put(path, () => HttpResponse.json({ error }, { status })))
const note = () => screen.findByRole('textbox', { name: '메모' })
const noteCard = async () =>
  within((await screen.findByRole('heading', { name: '메모' })).closest('section') as HTMLElement)

async function openDialog() {
  await userEvent.click(await screen.findByRole('button', { name: '배송지 수정' }))
  return within(await screen.findByRole('dialog', { name: '배송지 수정' }))
}

describe('the receiver of an order', () => {
  it('is corrected in a dialog prefilled with the current one', async () => {
    shown = {
      ...before,
      receiver: { ...receiver, email: 'kim@example.com', geolocation: { latitude: 37, longitude: 127 } },
    }
    renderOrderPage()
    const dialog = await openDialog()
    expect(dialog.getByLabelText<HTMLInputElement>(/^주소/).value).toBe(receiver.address1)
    expect(dialog.getByRole('button', { name: '주소 찾기' })).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
    const address = dialog.getByLabelText(/^주소/)
    await userEvent.clear(address)
    await userEvent.click(dialog.getByRole('button', { name: '저장' }))
    expect(dialog.getByText('주소를 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.type(address, '서울시 강남구 역삼로 2')
    await userEvent.type(dialog.getByLabelText(/^상세주소/), '301호')
    await userEvent.click(dialog.getByRole('button', { name: '저장' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // A position belongs to the old address.
    const corrected = { ...receiver, email: 'kim@example.com', address1: '서울시 강남구 역삼로 2', address2: '301호' }
    expect(sent).toEqual([{ receiver: { ...corrected, geolocation: null } }])
    expect(await screen.findByText(/역삼로 2 301호/)).toBeTruthy()
  })

  it('keeps its position with an unchanged address', async () => {
    const geolocation = { latitude: 37, longitude: 127 }
    shown = { ...before, receiver: { ...receiver, geolocation } }
    renderOrderPage()
    const dialog = await openDialog()
    await userEvent.type(dialog.getByLabelText(/^받는 분/), '씨')
    await userEvent.click(dialog.getByRole('button', { name: '저장' }))
    await waitFor(() => expect(sent).toMatchObject([{ receiver: { name: '김철수씨', geolocation } }]))
  })

  it('shows a refusal at its field', async () => {
    const message = '배송비가 다른 지역의 주소로는 바꿀 수 없습니다.'
    refuse(400, {
      code: 'invalid',
      message: '확인해 주세요.',
      fields: [{ field: 'receiver.postcode', code: 'other_area', message }],
    })
    renderOrderPage()
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('button', { name: '저장' }))
    const told = await dialog.findByText(message)
    expect(dialog.getByLabelText(/^우편번호/).getAttribute('aria-describedby')).toBe(told.id)
    expect(dialog.queryByText('확인해 주세요.')).toBeNull()
  })

  it('shows why it is too late', async () => {
    refuse(409, { code: 'not_allowed_now', message: '앞으로 보낼 상품이 없어 배송지를 바꿀 수 없습니다.' })
    renderOrderPage()
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('button', { name: '저장' }))
    expect(await dialog.findByText(/앞으로 보낼 상품이 없어/)).toBeTruthy()
  })

  it('cannot be changed where the server does not offer it', async () => {
    shown = { ...before, nextActions: [] }
    renderOrderPage()
    await screen.findByRole('heading', { name: '주문자와 배송지' })
    expect(screen.queryByRole('button', { name: '배송지 수정' })).toBeNull()
  })
})

describe('the staff note', () => {
  it('shows its purpose until there is one', async () => {
    renderOrderPage()
    const card = await noteCard()
    expect(card.getByText(/구매자와 판매자에게는 보이지 않습니다/)).toBeTruthy()
    const save = card.getByRole('button', { name: '저장' })
    const isIdle = () => expect(save.getAttribute('aria-disabled')).toBe('true')
    isIdle()
    await userEvent.type(await note(), '경비실에 맡김 ')
    await userEvent.click(save)
    await waitFor(() => expect(sent).toEqual([{ remark: '경비실에 맡김' }]))
    await waitFor(isIdle)
    expect((await note()).textContent).toBe('경비실에 맡김')
    expect(card.queryByText(/보이지 않습니다/)).toBeNull()
    expect(await a11yViolations()).toEqual([])
    await userEvent.clear(await note())
    await userEvent.click(save)
    await waitFor(() => expect(sent[1]).toEqual({ remark: '' }))
    expect(await card.findByText(/보이지 않습니다/)).toBeTruthy()
  })

  it('has a maximum length, and shows a refusal at its field', async () => {
    renderOrderPage()
    const card = await noteCard()
    await userEvent.click(await note())
    await userEvent.paste('긴'.repeat(1001))
    await userEvent.click(card.getByRole('button', { name: '저장' }))
    expect(card.getByText('1,000자 이내로 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
    refuse(400, { code: 'invalid', message: '-', fields: [{ field: 'remark', code: 'x', message: '다시 써 주세요.' }] })
    await userEvent.clear(await note())
    await userEvent.type(await note(), '짧게')
    await userEvent.click(card.getByRole('button', { name: '저장' }))
    const told = await card.findByText('다시 써 주세요.')
    expect((await note()).getAttribute('aria-describedby')).toBe(told.id)
  })

  it('is read-only in the past', async () => {
    renderOrderPage('/console/shop/orders/o1?position=10')
    const card = await noteCard()
    expect(await card.findByText('메모가 없습니다.')).toBeTruthy()
    // The next event changes it.
    await waitFor(() => expect(card.getByText(/메모가 없습니다/).closest('mark')?.textContent).toContain('선물 포장'))
    expect(card.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: '배송지 수정' })).toBeNull()
  })

  it('is not shown to a seller', async () => {
    beginSession({
      refreshToken: 'r',
      accessToken: 'a',
      payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] },
    })
    shown = { ...before, nextActions: [] }
    renderOrderPage()
    await screen.findByRole('heading', { name: '주문자와 배송지' })
    expect(screen.queryByRole('heading', { name: '메모' })).toBeNull()
  })
})

describe('the differences between two states of an order', () => {
  it('include the corrected receiver and the note', () => {
    const after = order({ ...before, receiver: { ...receiver, address2: '301호' }, remark: '선물 포장' })
    expect(changes(before, after).map(({ path: at, to }) => [at, to])).toEqual([
      ['receiver', '김철수 010-1111-2222 서울시 강남구 테헤란로 1 301호'],
      ['remark', '선물 포장'],
    ])
  })
})
