// Amounts and prices. Formatting is in lib/money.ts only.

import { cn } from '../lib/cn'
import { formatMoney } from '../lib/money'

type MoneyProps = {
  /** Integer hundredths. */
  amount: number
  /** Prefix positive amounts with a plus (points, ledgers). */
  signed?: boolean
  className?: string
}

export function Money({ amount, signed = false, className }: MoneyProps) {
  return (
    <span className={cn('figures whitespace-nowrap', className)}>
      {signed && amount > 0 && '+'}
      {formatMoney(amount)}
    </span>
  )
}

/** A fare; zero is shown as text. */
export const Fare = ({ amount, className }: { amount: number; className?: string }) =>
  amount === 0 ? <span className={className}>무료</span> : <Money amount={amount} className={className} />

type PriceProps = {
  /** List price, hundredths. */
  price: number
  /** Current price, hundredths. */
  salePrice: number
  /** Integer percentage of the discount, from the server; not shown at 0. */
  discountRate?: number
  size?: 'sm' | 'md' | 'lg'
  className?: string
}

const PRICE_SIZES = { sm: 'text-base', md: 'text-lg', lg: 'text-3xl xs:text-4xl' }

/** A product's price: struck-through list price, rate and the price to pay (spec V059-V061). */
export function Price({ price, salePrice, discountRate = 0, size = 'md', className }: PriceProps) {
  const reduced = salePrice < price
  return (
    <div className={className}>
      {reduced && (
        <div className={cn('text-ink-3', size === 'lg' ? 'text-base' : 'text-xs')}>
          <span className="sr-only">정가 </span>
          <s>
            <Money amount={price} />
          </s>
        </div>
      )}
      <div
        className={cn(
          'flex flex-wrap items-baseline gap-x-1.5 font-bold',
          PRICE_SIZES[size],
          size === 'lg' && 'gap-x-2.5',
        )}
      >
        {reduced && discountRate > 0 && (
          <span className="figures whitespace-nowrap text-accent">
            <span className="sr-only">할인율 </span>
            {discountRate}%
          </span>
        )}
        <span className="sr-only">판매가</span>
        <Money amount={salePrice} />
      </div>
    </div>
  )
}
