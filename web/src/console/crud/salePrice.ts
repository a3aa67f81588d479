// What a product costs with its own discount: the domain's rule (`domain/src/pricing/discount.rs`), for who is typing it. The server
// prices what is saved; one table of examples holds both to the same.

export type Discount = { unit?: unknown; value?: unknown; limit?: unknown }

export type Sale = {
  /** What one piece costs, hundredths. */
  salePrice: number
  /** Whole percent taken off, rounded down. */
  discountRate: number
}

/**
 * `price` is of one piece, in hundredths. A percent is rounded up to a `step` (hundredths too, spec V282), and no discount takes off
 * more than its limit (spec V283) or the price (spec V284).
 */
export function saleOf(price: number, { unit, value, limit }: Discount, step: number): Sale {
  const most = typeof limit === 'number' ? limit : price
  const discount = unit === 'PERCENT' ? Math.ceil((price * Number(value)) / (100 * step)) * step : Number(value)
  const off = Math.min(discount, most, price)
  return { salePrice: price - off, discountRate: price === 0 ? 0 : Math.floor((off * 100) / price) }
}
