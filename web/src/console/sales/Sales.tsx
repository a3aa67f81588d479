// Sales of a period: totals; by day or month, weekday and product; and the state of its orders. The period is in the address.
import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../api/query'
import { cn } from '../../lib/cn'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { PeriodPicker, usePeriod } from '../Period'
import { formatCount } from './format'
import { type Figure, Plot } from './Plot'
import { States } from './States'
import type { Point } from './types'
import { salesWords } from './words'

const t = salesWords
/** From this many days on, months are shown instead of days. */
const MANY_DAYS = 100
const BEST = 8

const SOLD: Figure<Point> = { name: t.sales, unit: 'amount', of: ({ sales }) => sales }
const FIGURES: readonly Figure<Point>[] = [
  { name: t.orders, unit: 'orders', of: ({ orders }) => orders },
  { name: t.quantity, unit: 'pieces', of: ({ quantity }) => quantity },
  SOLD,
  { name: t.canceled, unit: 'amount', of: ({ canceled }) => canceled },
]
const sold = { figures: FIGURES, drawn: SOLD, none: t.none }

const days = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1

type SalesProps = {
  best?: number
  /** The page has no other content and shows the title itself. */
  isPage?: boolean
}

export function Sales({ best = BEST, isPage = false }: SalesProps) {
  const period = usePeriod()
  const { from, to } = period
  const query = { from, to }
  const keepPrevious = { placeholderData: keepPreviousData }
  const long = days(from, to) > MANY_DAYS
  const daily = useApiQuery('/api/console/statistics/dailySales', { query }, keepPrevious)
  const monthly = useApiQuery('/api/console/statistics/monthlySales', { query }, { ...keepPrevious, enabled: long })
  const weekdays = useApiQuery('/api/console/statistics/dayOfWeekSales', { query }, keepPrevious)
  const products = useApiQuery('/api/console/statistics/productsSales', { query }, keepPrevious)
  const time = long ? monthly : daily
  const points: Point[] | undefined = long
    ? monthly.data?.monthlySales.map((row) => ({ ...row, label: row.month }))
    : daily.data?.dailySales.map((row) => ({ ...row, label: row.day.slice(5).replace('-', '. ') }))
  return (
    <section aria-label={t.title} className="grid min-w-0 gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className={isPage ? 'sr-only' : 'mr-auto font-bold text-lg'}>{t.title}</h2>
        <PeriodPicker {...period} />
      </div>
      <Card>
        <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          {[
            { name: t.sales, value: daily.data && <Money amount={daily.data.summary.sales} /> },
            { name: t.canceled, value: daily.data && <Money amount={daily.data.summary.canceled} /> },
            { name: t.orders, value: daily.data && formatCount.orders(daily.data.summary.orders) },
            { name: t.quantity, value: daily.data && formatCount.pieces(daily.data.summary.quantity) },
          ].map(({ name, value }) => (
            <div key={name}>
              <dt className="text-ink-2 text-sm">{name}</dt>
              <dd className="figures font-bold text-xl sm:text-2xl">{value ?? '·'}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-ink-3 text-sm">{t.how}</p>
      </Card>
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-3 lg:[&>:first-child]:col-span-2">
        <Plot
          title={long ? t.byMonth : t.byDay}
          of={long ? t.month : t.day}
          shape="line"
          points={points}
          {...sold}
          error={time.error}
          onRetry={() => void time.refetch()}
        />
        <States from={from} to={to} />
      </div>
      {/* The separate page lists many products, which need the full width. */}
      <div className={cn('grid min-w-0 items-start gap-5', !isPage && 'lg:grid-cols-2')}>
        <Plot
          title={t.byWeekday}
          of={t.weekday}
          shape="bars"
          points={weekdays.data?.dayOfWeekSales.map((row) => ({ ...row, label: t.weekdays[row.dayOfWeek - 1] ?? '' }))}
          {...sold}
          error={weekdays.error}
          onRetry={() => void weekdays.refetch()}
        />
        <Plot
          title={t.byProduct}
          of={t.product}
          shape="rows"
          points={products.data?.productsSales.slice(0, best).map((row) => ({ ...row, label: row.name }))}
          {...sold}
          error={products.error}
          onRetry={() => void products.refetch()}
        />
      </div>
    </section>
  )
}
