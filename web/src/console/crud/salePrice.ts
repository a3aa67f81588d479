// A product's price with its own discount: the domain's rule (`domain/src/pricing/discount.rs`), for a preview while editing. The server
// prices saved products; a shared table of examples keeps both equal.

export type Discount = { unit?: unknown; value?: unknown; limit?: unknown }

export type Sale = {
  /** Price of one piece, hundredths. */
  salePrice: number
  /** Whole percent of discount, rounded down. */
  discountRate: number
}

/**
 * `price` is of one piece, in hundredths. A percentage is rounded up to a `step` (hundredths too, spec V282), and no discount exceeds
 * its limit (spec V283) or the price (spec V284).
 */
export function saleOf(price: number, { unit, value, limit }: Discount, step: number): Sale {
  const most = typeof limit === 'number' ? limit : price
  const discount = unit === 'PERCENT' ? Math.ceil((price * Number(value)) / (100 * step)) * step : Number(value)
  const off = Math.min(discount, most, price)
  return { salePrice: price - off, discountRate: price === 0 ? 0 : Math.floor((off * 100) / price) }
}
