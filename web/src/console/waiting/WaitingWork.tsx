// The beginning of the dashboard: what waits, and today's sales beside yesterday's.
import { ChevronRight } from 'lucide-react'
import { cn } from '../../lib/cn'
import { formatMoney } from '../../lib/money'
import { Card } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { type Waiting, type WaitingItem, waitingItems } from './items'
import { useWaiting } from './useWaiting'
import { waitingWords as t } from './words'

export function WaitingWork() {
  const { data, error, refetch } = useWaiting()
  if (!data)
    return (
      <Card title={t.title}>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading>
            <Skeleton className="h-40" />
          </Loading>
        )}
      </Card>
    )
  const items = waitingItems(data)
  return (
    <>
      <section aria-label={t.title}>
        <Card title={t.title}>
          {items.length === 0 ? (
            <EmptyState title={t.none} text={t.noneText} />
          ) : (
            <ul className="grid overflow-hidden rounded-md border border-line sm:grid-cols-2 lg:grid-cols-3">
              {items.map((item) => (
                <Item key={item.to} {...item} />
              ))}
            </ul>
          )}
        </Card>
      </section>
      <Today {...data} />
    </>
  )
}

const Item = ({ name, count, to, isUrgent }: WaitingItem) => (
  <li className="-mr-px -mb-px border-line border-r border-b">
    <Link
      to={to}
      className="flex items-center justify-between gap-4 px-4 py-3.5 hover:bg-sunken focus-visible:outline-offset-[-2px]"
    >
      <span>{name}</span>
      <span className="flex items-center gap-1.5">
        <span className={cn('figures font-bold text-xl', isUrgent && 'text-danger')}>{t.count(count)}</span>
        <ChevronRight aria-hidden className="size-4.5 text-ink-3" />
      </span>
    </Link>
  </li>
)

const Today = ({ today, yesterday }: Pick<Waiting, 'today' | 'yesterday'>) => (
  <Card title={t.today}>
    <dl className="grid grid-cols-2 gap-4">
      {[
        { name: t.orders, now: t.count(today.orders), before: t.count(yesterday.orders) },
        { name: t.sales, now: formatMoney(today.sales), before: formatMoney(yesterday.sales) },
      ].map(({ name, now, before }) => (
        <div key={name}>
          <dt className="text-ink-2 text-sm">{name}</dt>
          <dd>
            <span className="figures block font-bold text-xl sm:text-2xl">{now}</span>
            <span className="text-ink-3 text-sm">{t.yesterday(before)}</span>
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)
