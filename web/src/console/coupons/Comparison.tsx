// All coupons side by side: how many were issued and used, what they took off, who bears that, and what was paid for those orders; of all time or of a period.
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { cn } from '../../lib/cn'
import { Card } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { NumbersTable } from '../crud/NumbersTable'
import { PeriodFilter } from '../crud/PeriodFilter'
import type { Days } from '../Period'
import { formatCount } from '../sales/format'
import { rateOf } from './rate'
import { statisticsWords as t } from './statisticsWords'

/** Wider than a phone: names wrap, figures do not. */
const SCROLLED = 'mt-4 overflow-x-auto [&_tbody_th]:min-w-36 [&_td]:whitespace-nowrap [&_thead_th]:whitespace-nowrap'

/** The newest of them. */
const MOST = 50

export default function Comparison() {
  const [{ from, to }, setDays] = useState<Days>({ from: '', to: '' })
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    '/api/console/shop/coupons/statistics',
    { query: { from: from || undefined, to: to || undefined }, headers: paged(1, MOST) },
    { placeholderData: keepPreviousData },
  )
  return (
    <Card title={t.compare} className="mt-8 min-w-0">
      <PeriodFilter from={from} to={to} onPeriod={(from, to) => setDays({ from, to })} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-48" />
        </Loading>
      ) : data.statistics.length === 0 ? (
        <p className="mt-4 text-ink-2">{from || to ? t.noneThen : t.noneYet}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is moved by keyboard too
        <section aria-label={t.compare} tabIndex={0} className={SCROLLED}>
          <div aria-busy={isPlaceholderData} className={cn(isPlaceholderData && 'opacity-50')}>
            <NumbersTable
              caption={t.compare}
              of={t.coupon}
              columns={[t.issued, t.used, t.rate, t.discount, t.sellersShare, t.shopShare, t.revenue]}
              rows={data.statistics.map((row) => ({
                id: row._coupon,
                name: (
                  <Link to={`/console/shop/coupons?id=${row._coupon}`} className="underline underline-offset-2">
                    {row.name}
                  </Link>
                ),
                figures: [
                  formatCount.coupons(row.issued),
                  formatCount.coupons(row.used),
                  rateOf(row),
                  ...[row.discount, row.sellersShare, row.shopShare, row.revenue].map((amount, i) => (
                    <Money key={i} amount={amount} />
                  )),
                ],
              }))}
            />
          </div>
          <p className="mt-3 text-ink-3 text-sm">{t.how}</p>
        </section>
      )}
    </Card>
  )
}
