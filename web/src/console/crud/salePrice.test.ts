// A product's price with its discount is the server's, to the hundredth: the table is the one the domain's own test goes by
// (`domain/src/pricing/discount.rs`), so that neither changes without the other.
import { expect, it } from 'vitest'
import rows from '../../../../domain/tests/pricing/sale-prices.json'
import { saleOf } from './salePrice'

it.each(rows)('prices as the domain does: $name', ({ price, discount, step, salePrice, discountRate }) => {
  expect(saleOf(price, discount, step)).toEqual({ salePrice, discountRate })
})
