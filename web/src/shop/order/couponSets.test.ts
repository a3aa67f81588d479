// Sets of coupons worth pricing: the best of each place together, and each kind alone; a coupon is one piece of paper.
import { expect, it } from 'vitest'
import type { CouponChoice } from '../../api/types'
import { card, preview, quote } from '../../testing/shop'
import { applied, couponSets, NO_COUPONS } from './couponSets'

const two = quote([
  { product: card(), quantity: 1 },
  { product: card({ _id: 'p2' }), quantity: 1 },
])
const choice = (stage: CouponChoice['stage'], _issued: string, takes: Record<string, number>): CouponChoice => ({
  _issued,
  name: _issued,
  stage,
  applicable: Object.keys(takes),
  takes: Object.entries(takes).map(([purchaseNo, amount]) => ({ purchaseNo: purchaseNo || null, amount })),
})

it('puts each coupon where it takes off most, once', () => {
  const coupons = [
    choice('product', 'a', { 1: 500, 2: 900 }),
    choice('product', 'b', { 2: 800 }),
    choice('total', 't', { '': 300 }),
    choice('total', 'u', { '': 700 }),
    choice('fare', 'none', {}),
  ]
  const [all, ...alone] = couponSets(preview(two, { coupons }))
  // The largest first: `a` on the second line, where `b` would fit too.
  expect(all).toEqual({ productCoupons: { 2: 'a' }, fareCoupons: {}, totalCoupon: 'u' })
  expect(alone).toEqual([
    { ...NO_COUPONS, productCoupons: { 2: 'a' } },
    { ...NO_COUPONS, totalCoupon: 'u' },
  ])
})

it('tries nothing where no coupon takes anything off', () => {
  expect(couponSets(preview(two, { coupons: [choice('product', 'a', { 1: 0 })] }))).toEqual([])
  expect(couponSets(preview(two))).toEqual([])
})

it('keeps of a set what its price kept', () => {
  const set = { productCoupons: { 1: 'a', 2: 'b' }, fareCoupons: { 1: 'f' }, totalCoupon: 't' }
  expect(applied(set, [{ _issued: 'b' }, { _issued: 'f' }])).toEqual({
    productCoupons: { 2: 'b' },
    fareCoupons: { 1: 'f' },
    totalCoupon: '',
  })
})
