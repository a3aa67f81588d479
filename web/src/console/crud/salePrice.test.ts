// Discounted prices match the server's, to the hundredth: the table is shared with the domain's own test
// (`domain/src/pricing/discount.rs`), so that neither changes without the other.
import { expect, it } from 'vitest'
import rows from '../../../../domain/tests/pricing/sale-prices.json'
import { saleOf } from './salePrice'

it.each(rows)('prices like the domain: $name', ({ price, discount, step, salePrice, discountRate }) => {
  expect(saleOf(price, discount, step)).toEqual({ salePrice, discountRate })
})
