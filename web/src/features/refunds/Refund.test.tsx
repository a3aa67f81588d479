// The refund preview of a cancellation or return: every row, the total, and the reasons of amounts that are not refunded.
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RefundPreview } from '../../api/types'
import { a11yViolations } from '../../testing/axe'
import { refundPreview } from '../../testing/shop'
import { Refund } from './Refund'

/** Every row: its name, amount, and reason, if any. */
function shown(preview: RefundPreview): (string | null)[][] {
  const { container } = render(<Refund preview={preview} />)
  return [...(container.querySelector('dl')?.children ?? [])].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  )
}

it('lists goods and fare with their sum, then points and coupons, with the reason of what is not refunded', async () => {
  expect(shown(refundPreview())).toEqual([
    ['바람 로드 105 · 블랙 · 1개', '$1,000.00'],
    ['배송비 · 택배', '$0.00', '함께 배송하는 다른 상품이 남아 있습니다.'],
    ['환불 금액', '$1,000.00', '결제한 카드로 취소됩니다. 카드사에 따라 3~5영업일 걸립니다.'],
    ['적립금 반환', '$2.00', '유효기간이 지난 적립금은 소멸됩니다.'],
    ['쿠폰 · 첫 구매 10%', '쿠폰함으로 돌아갑니다'],
    ['쿠폰 · 전체 5%', '돌아가지 않습니다', '쿠폰을 적용한 다른 상품이 남아 있습니다.'],
  ])
  expect(await a11yViolations()).toEqual([])
})

it('deducts fees and points earned by a confirmation, and returns a fee deducted before', () => {
  const rows = shown(
    refundPreview({
      fares: [{ name: '택배', purchaseNos: ['1'], money: 250, points: 0, reason: null }],
      fees: [
        { kind: 'RETURN_FARE', amount: 500, reason: '단순 변심은 반품 배송비를 구매자가 냅니다.' },
        { kind: 'FARE_RECHARGE', amount: 300, reason: '무료배송 조건에 미치지 못합니다.' },
        { kind: 'FARE_RECHARGE', amount: -250, reason: '앞서 뺀 배송비를 돌려드립니다.' },
      ],
      points: { amount: 0, expired: 0, reason: null },
      reclaimed: { points: 120, money: 80 },
      coupons: [],
      refund: { amount: 99620, method: 'vbank', reason: null },
    }),
  )
  expect(rows.slice(1)).toEqual([
    ['배송비 · 택배', '$2.50'],
    ['반품 배송비', '-$5.00', '단순 변심은 반품 배송비를 구매자가 냅니다.'],
    ['추가 배송비', '-$3.00', '무료배송 조건에 미치지 못합니다.'],
    ['추가 배송비 반환', '+$2.50', '앞서 뺀 배송비를 돌려드립니다.'],
    ['사용한 적립금 차감', '-$0.80', '적립된 적립금을 이미 사용해 환불 금액에서 뺍니다.'],
    ['환불 금액', '$996.20', '등록한 환불 계좌로 입금됩니다.'],
    ['적립금 회수', '-$1.20', '구매확정으로 적립된 적립금을 회수합니다.'],
  ])
})

it("lists goods that await their seller's decision, unless all of them do", () => {
  const line = refundPreview().lines[0] as RefundPreview['lines'][number]
  const waiting = { ...line, purchaseNo: '2', name: '안장', optionName: null, quantity: 2, atOnce: false }
  const goods = (lines: RefundPreview['lines']) => shown(refundPreview({ lines })).slice(0, lines.length)
  expect(goods([line, waiting])).toEqual([
    ['바람 로드 105 · 블랙 · 1개', '$1,000.00'],
    ['안장 · 2개', '$1,000.00', '판매자가 승인하면 돌려드립니다.'],
  ])
  expect(goods([waiting])).toEqual([['안장 · 2개', '$1,000.00']])
})

it('shows why no money is refunded', () => {
  const refund = { amount: 0, method: 'card' as const, reason: '적립금으로만 결제했습니다.' }
  expect(shown(refundPreview({ refund }))).toContainEqual(['환불 금액', '$0.00', '적립금으로만 결제했습니다.'])
})
