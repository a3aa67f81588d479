// A product's price with its discount is the server's, to the hundredth.
import { expect, it } from 'vitest'
import { saleOf } from './sale'

const percent = (value: number, limit?: number) => ({ unit: 'PERCENT', value, limit })

it('takes off a percent, rounded up to a step, up to its limit', () => {
  expect(saleOf(129_000, percent(10), 1)).toEqual({ salePrice: 116_100, discountRate: 10 })
  expect(saleOf(129_000, percent(10, 5_000), 1)).toEqual({ salePrice: 124_000, discountRate: 3 })
  expect(saleOf(333, percent(10), 1)).toEqual({ salePrice: 299, discountRate: 10 })
  // In won, whose step is a hundred hundredths.
  expect(saleOf(333_00, percent(10), 100)).toEqual({ salePrice: 299_00, discountRate: 10 })
  expect(saleOf(129_000, percent(100), 1)).toEqual({ salePrice: 0, discountRate: 100 })
})

it('takes off an amount, never more than the price', () => {
  expect(saleOf(129_000, { unit: 'AMOUNT', value: 29_000, limit: null }, 1)).toEqual({
    salePrice: 100_000,
    discountRate: 22,
  })
  expect(saleOf(500, { unit: 'AMOUNT', value: 900 }, 1)).toEqual({ salePrice: 0, discountRate: 100 })
  expect(saleOf(0, percent(10), 1)).toEqual({ salePrice: 0, discountRate: 0 })
})
