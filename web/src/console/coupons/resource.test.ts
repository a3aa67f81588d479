// A coupon leads to the ledger that counts its draws and uses, where there is one.
import { expect, it } from 'vitest'
import { coupon } from './resource'

it('has a ledger of its campaign only where draws or uses are limited', () => {
  const limited = (issue: unknown, usage: unknown) =>
    coupon.ledger?.({ _id: 'c1', issue: { limit: { shop: issue } }, usage: { limit: { shop: usage } } })
  const campaign = { kind: 'coupon-campaign', id: 'c1' }
  expect(limited({ count__sum: 100 }, {})).toEqual(campaign)
  expect(limited({}, { price__sum: 5000 })).toEqual(campaign)
  expect(limited({ count__sum: null }, {})).toBeUndefined()
  expect(coupon.ledger?.({ _id: 'c1' })).toBeUndefined()
})
