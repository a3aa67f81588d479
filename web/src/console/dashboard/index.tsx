// What waits, the state of all purchases, sales, and the latest activity.
import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { grouped } from '../../i18n/number'
import { StatusBadge } from '../../ui/Badge'
import { ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { RelativeTime } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { TABS, tabPath, useTabCounts } from '../purchases/tabs'
import { purchaseWords } from '../purchases/words'
import { Sales } from '../sales/Sales'
import { daysAgo } from '../useListState'
import { WaitingWork } from '../waiting/WaitingWork'
import { dashboardWords } from './words'

const t = dashboardWords
const NEWEST = 8
const WEEK_DAYS = 7

export function Component() {
  return (
    <main id="content" className="mx-auto grid max-w-6xl gap-5">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <WaitingWork />
      <Counts title={t.counts} query={{}} />
      <Counts title={t.week} query={{ from: daysAgo(WEEK_DAYS - 1) }} />
      <Sales />
      <Newest />
    </main>
  )
}

function Counts({ title, query }: { title: string; query: { from?: string } }) {
  const { data, error, refetch } = useTabCounts(query)
  const from = query.from ? `?createdAtFrom=${query.from}` : ''
  return (
    <Card title={title}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line xs:grid-cols-4 lg:grid-cols-8">
          {TABS.map((tab) => (
            <li key={tab} className="bg-raised">
              <Link
                to={tabPath(tab) + from}
                className="block px-4 py-3 hover:bg-sunken focus-visible:outline-offset-[-2px]"
              >
                <span className="block text-ink-2 text-sm">{purchaseWords.tabs[tab]}</span>
                <span className="figures block font-bold text-2xl">{data ? grouped(data.counts[tab]) : '·'}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Newest() {
  const { data, error, refetch } = useApiQuery(
    '/api/console/shop/purchases',
    { query: { tab: 'all' }, headers: paged(1, NEWEST) },
    { placeholderData: keepPreviousData },
  )
  return (
    <Card
      title={t.newest}
      headerAction={
        <ButtonLink to={tabPath('all')} size="sm" variant="ghost" className="-mr-3">
          {t.more}
        </ButtonLink>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-80" />
        </Loading>
      ) : data.purchases.length === 0 ? (
        <EmptyState />
      ) : (
        <ul className="divide-y divide-line">
          {data.purchases.map((row) => (
            <li
              key={row.purchaseNo}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 md:grid md:grid-cols-[11.5rem_minmax(0,1fr)_4.5rem_6rem_6.5rem]"
            >
              <Link
                to={`/console/shop/orders/${row._order}`}
                className="figures font-semibold underline-offset-4 hover:underline"
              >
                {row.purchaseNo}
              </Link>
              <span className="min-w-0 flex-1 basis-60 truncate">
                {[row.name, row.optionName].filter(Boolean).join(' · ')}
              </span>
              <RelativeTime value={row.createdAt} className="text-ink-3 text-sm" />
              <Money amount={row.paid} className="text-right font-semibold" />
              <StatusBadge {...row} className="md:justify-self-end" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
