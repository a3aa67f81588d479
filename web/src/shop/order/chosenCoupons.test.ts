// The best set, as the order sheet holds it.
import { expect, it } from 'vitest'
import type { CouponChoice } from '../../api/types'
import { card, preview, quote } from '../../testing/shop'
import { bestChoice, NO_COUPONS } from './chosenCoupons'

const two = quote([
  { product: card(), quantity: 1 },
  { product: card({ _id: 'p2' }), quantity: 1 },
])
const choice = (stage: CouponChoice['stage'], _issued: string, applicable: string[]): CouponChoice => ({
  _issued,
  name: _issued,
  stage,
  applicable,
  takes: [],
})
const coupons = [choice('product', 'p', ['1', '2']), choice('fare', 'f', ['2']), choice('total', 't', ['1', '2'])]

it('puts each coupon at its line or parcel', () => {
  const best = { coupons: [{ _issued: 'p', purchaseNo: '2' }, { _issued: 't' }], amount: 900 }
  expect(bestChoice(preview(two, { coupons, bestCoupons: best }))).toEqual({
    productCoupons: { 2: 'p' },
    fareCoupons: {},
    totalCoupon: 't',
  })
})

it('puts a fare coupon at the first line of the parcel it is for', () => {
  const fare = (purchaseNos: string[]) => ({ ...two.fares[0], purchaseNos }) as (typeof two.fares)[number]
  const best = (set: { _issued: string; purchaseNo?: string }[], parcels: string[][]) =>
    bestChoice(preview({ ...two, fares: parcels.map(fare) }, { coupons, bestCoupons: { coupons: set, amount: 300 } }))
      .fareCoupons
  expect(best([{ _issued: 'f' }], [['1', '2']])).toEqual({ 1: 'f' })
  expect(best([{ _issued: 'f' }], [['1'], ['2']])).toEqual({ 2: 'f' })
  expect(best([{ _issued: 'f', purchaseNo: '2' }], [['1', '2']])).toEqual({ 1: 'f' })
})

it('is empty where no coupon applies', () => {
  expect(bestChoice(preview(two, { coupons }))).toEqual(NO_COUPONS)
})
