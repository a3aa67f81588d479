// What became of a coupon, from the log: issued, used, returned, expired, what it took off and who bears that, by day; of all time or of a period.
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { cn } from '../../lib/cn'
import { Card } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { ErrorState } from '../../ui/states'
import type { CouponFigures, CouponStatistics } from '../benefits/types'
import { codesPath } from '../coupon-codes/api'
import { PeriodFilter } from '../crud/PeriodFilter'
import type { Days } from '../Period'
import { formatCount } from '../sales/format'
import { type Figure, Plot } from '../sales/Plot'
import { rateOf } from './rate'
import { statisticsWords as t } from './statisticsWords'

const ALL_TIME: Days = { from: '', to: '' }
const COUNTS = ['issued', 'used', 'returned', 'expired', 'taken'] as const
const AMOUNTS = ['discount', 'sellersShare', 'shopShare', 'revenue'] as const

type Day = CouponStatistics['byDay'][number] & { label: string }
const USED: Figure<Day> = { name: t.used, unit: 'coupons', of: ({ used }) => used }
const FIGURES: readonly Figure<Day>[] = [
  { name: t.issued, unit: 'coupons', of: ({ issued }) => issued },
  USED,
  { name: t.discount, unit: 'amount', of: ({ discount }) => discount },
]

type StatisticsProps = {
  id: string
  /** Where its draws and uses are explained, if they are limited. */
  ledger?: string
}

export default function Statistics({ id, ledger }: StatisticsProps) {
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const [{ from, to }, setDays] = useState(ALL_TIME)
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    '/api/console/shop/coupons/{id}/statistics',
    { path: { id }, query: { from: from || undefined, to: to || undefined } },
    { placeholderData: keepPreviousData },
  )
  const figures = data?.statistics
  return (
    <section aria-label={t.title} className="grid min-w-0 gap-5">
      <Card title={t.title}>
        <PeriodFilter from={from} to={to} onPeriod={(from, to) => setDays({ from, to })} />
        <div aria-busy={isPlaceholderData} className={cn('mt-4', isPlaceholderData && 'opacity-50')}>
          {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Sums figures={figures} />}
        </div>
        <p className="mt-4 text-ink-3 text-sm">{t.how}</p>
        {isStaff && (
          <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2 text-sm">
            <Link to={`/console/user-coupons?_coupon=${id}`} className="underline underline-offset-4 hover:text-accent">
              {t.who}
            </Link>
            <Link to={codesPath(id)} className="underline underline-offset-4 hover:text-accent">
              {t.codes}
            </Link>
            {ledger && (
              <Link to={ledger} className="underline underline-offset-4 hover:text-accent">
                {t.explain}
              </Link>
            )}
          </p>
        )}
      </Card>
      {!error && (
        <Plot
          title={t.byDay}
          of={t.day}
          shape="line"
          points={figures?.byDay.map((row) => ({ ...row, label: row.day.slice(5).replace('-', '. ') }))}
          figures={FIGURES}
          drawn={USED}
          none={from || to ? t.noneThen : t.none}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  )
}

const Sums = ({ figures }: { figures: CouponFigures | undefined }) => (
  <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
    {COUNTS.map((name) => (
      <Sum key={name} name={t[name]}>
        {figures && formatCount.coupons(figures[name])}
      </Sum>
    ))}
    <Sum name={t.rate}>{figures && rateOf(figures)}</Sum>
    {AMOUNTS.map((name) => (
      <Sum key={name} name={t[name]}>
        {figures && <Money amount={figures[name]} />}
      </Sum>
    ))}
  </dl>
)

const Sum = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt className="text-ink-2 text-sm">{name}</dt>
    <dd className="figures font-bold text-lg sm:text-xl">{children ?? '·'}</dd>
  </div>
)
