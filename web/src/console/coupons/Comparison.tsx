// All coupons side by side: how many were issued and used, what they took off, who bears that, and what was paid for those orders.
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { Card } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { NumbersTable } from '../crud/NumbersTable'
import { formatCount } from '../sales/format'
import { rateOf } from './rate'
import { statisticsWords as t } from './statisticsWords'

/** The newest of them. */
const MOST = 50

export default function Comparison() {
  const { data, error, refetch } = useApiQuery('/api/console/shop/coupons/statistics', { headers: paged(1, MOST) })
  return (
    <Card title={t.compare} className="mt-8 min-w-0">
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-48" />
        </Loading>
      ) : data.statistics.length === 0 ? (
        <p className="text-ink-2">{t.noneYet}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is moved by keyboard too
        <section aria-label={t.compare} tabIndex={0} className="overflow-x-auto [&_td]:whitespace-nowrap">
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
          <p className="mt-3 text-ink-3 text-sm">{t.how}</p>
        </section>
      )}
    </Card>
  )
}
