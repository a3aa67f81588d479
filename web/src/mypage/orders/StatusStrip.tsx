// The number of purchases in each state: from unpaid to delivered, and in each list of claims.
import { ChevronRight } from 'lucide-react'
import type { OrderCounts } from '../../api/types'
import { statusWords } from '../../i18n/statusWords'
import { cn } from '../../lib/cn'
import { Link } from '../../ui/Link'
import { type OrderFilter, ordersHref } from './ordersHref'

const STEPS = [
  { key: 'nonpayment', label: statusWords.orderStatus.ORDER_NONPAYMENT, filter: 'processing' },
  { key: 'payment', label: statusWords.orderStatus.ORDER_PAYMENT, filter: 'processing' },
  { key: 'confirm', label: statusWords.orderStatus.ORDER_CONFIRM, filter: 'processing' },
  { key: 'shipping', label: statusWords.orderStatus.SHIPPING_CONFIRM, filter: 'shipped' },
  { key: 'delivered', label: statusWords.orderStatus.DELIVERY_COMPLETE, filter: 'delivered' },
] as const
const CLAIMS = [
  { key: 'cancel', label: '취소' },
  { key: 'exchange', label: '교환' },
  { key: 'return', label: '반품' },
] as const

/** Placeholder for a number: zero would be a value. */
const UNREAD = '–'

export function StatusStrip({ counts, months }: { counts: OrderCounts | undefined; months?: string }) {
  const href = (filter: OrderFilter) => ordersHref(filter, { months: months || undefined })
  return (
    <section aria-label="주문 진행 상황" className="rounded-lg border border-line bg-raised">
      <ol className="grid grid-cols-5 py-5">
        {STEPS.map(({ key, label, filter }, i) => {
          const count = counts?.[key]
          return (
            <li key={key} className="relative">
              <Link to={href(filter)} className="flex flex-col items-center gap-0.5 rounded-sm py-1 hover:text-accent">
                <span className={cn('figures font-extrabold text-2xl', !count && 'text-ink-3')}>{count ?? UNREAD}</span>
                <span className="whitespace-nowrap text-ink-2 text-xs max-[22rem]:text-[0.6875rem] sm:text-sm">
                  {label}
                </span>
              </Link>
              {i > 0 && (
                <ChevronRight
                  aria-hidden
                  className="absolute top-1/2 left-0 size-4 -translate-x-1/2 -translate-y-1/2 text-line-strong"
                />
              )}
            </li>
          )
        })}
      </ol>
      <ul className="grid grid-cols-3 border-line border-t py-2 text-sm">
        {CLAIMS.map(({ key, label }) => (
          <li key={key} className="text-center">
            <Link to={href(key)} className="inline-block rounded-sm px-2 py-1 text-ink-2 hover:text-accent">
              {label} <span className="figures font-semibold text-ink">{counts ? `${counts[key]}건` : UNREAD}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
