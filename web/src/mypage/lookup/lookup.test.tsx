// A guest finds an order and reads its state in the words that members read.
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { beginSession, endSession } from '../../api/session'
import type { Claim, PurchaseRow } from '../../api/types'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { claim, order, purchase } from '../../testing/shop'
import { Component as MemberOrder } from '../orders-detail/index'
import { Component as Lookup } from './index'

withServer()
beforeEach(() => {
  endSession()
  localStorage.clear()
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: {}, couriers: [] })))
})

type Stage = [claim: Partial<Claim>, purchase: Partial<PurchaseRow>, words: [ofPurchase: string, ofClaim: string]]

const STAGES: Stage[] = [
  [{ kind: 'CANCEL' }, { claimStatus: 'CANCEL_REQUESTED', statusText: '취소요청' }, ['취소요청', '취소요청']],
  [
    { kind: 'CANCEL', state: 'APPROVED' },
    { claimStatus: 'CANCEL_REQUESTED', statusText: '취소요청' },
    ['취소요청', '취소승인'],
  ],
  [
    { kind: 'CANCEL', state: 'REJECTED', rejection: '이미 준비했습니다' },
    { claimStatus: 'CANCEL_REJECTED', statusText: '상품준비중/취소거부' },
    ['상품준비중/취소거부', '취소거부'],
  ],
  [
    { kind: 'CANCEL', state: 'COMPLETED' },
    { orderStatus: 'ORDER_CANCELED', claimStatus: 'CANCEL_COMPLETED', statusText: '취소완료' },
    ['취소완료', '취소완료'],
  ],
  [{}, { claimStatus: 'RETURN_REQUESTED', statusText: '반품요청' }, ['반품요청', '반품요청']],
]

const card = (title: string) => screen.findByRole('heading', { name: title }).then((found) => found.closest('section'))

/** The order's page says this of its only purchase, and this of its claim. */
async function says([ofPurchase, ofClaim]: Stage[2]) {
  const goods = within((await card('주문상품 1개')) as HTMLElement)
  expect(goods.getByText(ofPurchase)).toBeTruthy()
  const claims = within((await card('취소·교환·반품 신청 내역')) as HTMLElement)
  expect(claims.getByText(ofClaim)).toBeTruthy()
}

it.each(STAGES)('%j: a guest reads what a member reads', async (part, of, words) => {
  const found = order({ purchases: [purchase(of)], claims: [claim(part)] })
  server.use(
    http.post('*/api/v1/shop/orders/lookup', () => HttpResponse.json({ order: found, guestToken: 'guest-token' })),
    http.get('*/api/v1/me/orders/o1', () => HttpResponse.json({ order: found })),
  )
  const guest = renderPage(<Lookup />, '/shop/lookup')
  await userEvent.type(screen.getByLabelText('주문번호'), found.orderNo)
  await userEvent.type(screen.getByLabelText('휴대폰 번호'), '01098765432')
  await userEvent.click(screen.getByRole('button', { name: '조회하기' }))
  await says(words)
  guest.unmount()
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user: 'u', userType: 'PERSON', scope: [] } })
  renderPage(<MemberOrder />, '/mypage/orders-detail?order=o1')
  await says(words)
})
