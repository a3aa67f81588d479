// One grant of points: what became of it, and the way to the log.
import { useApiQuery } from '../../api/query'
import { useTitle } from '../../lib/pageContext'
import { Card, Facts } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { Money } from '../../ui/Money'
import { Loading, Skeleton } from '../../ui/states'
import { lastDayOf, nameOf } from '../benefits/fields'
import type { PointGrant } from '../benefits/types'
import { ledgerHref } from '../history/links'
import { GrantActions, GrantBadge } from './cells'
import { GRANT } from './commands'
import { pointWords as t } from './words'

const LIST = '/console/user-points'
const LINK = 'w-fit underline underline-offset-4 hover:text-accent'

export function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useApiQuery(GRANT, { path: { id } })
  const grant = data?.point
  useTitle(grant ? `${nameOf(grant)} · ${t.detail}` : t.detail)
  return (
    <main id="content" className="mx-auto max-w-3xl">
      <p className="text-sm">
        <Link to={LIST} className="tap text-ink-2 underline-offset-4 hover:underline">
          ‹ {t.back}
        </Link>
      </p>
      <h1 className="mt-1 flex flex-wrap items-center gap-3 font-bold text-2xl">
        {grant ? nameOf(grant) : t.detail}
        {grant && <GrantBadge grant={grant} />}
      </h1>
      {error && !grant ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : !grant ? (
        <Loading className="mt-5">
          <Skeleton className="h-72" />
        </Loading>
      ) : (
        <div className="mt-5 grid gap-5">
          <GrantCard grant={grant} />
          <Ways grant={grant} />
        </div>
      )}
    </main>
  )
}

const sourceOf = ({ flags }: PointGrant): string => (flags.byStaff ? t.sources.byStaff : t.sources.earned)

const GrantCard = ({ grant }: { grant: PointGrant }) => (
  <Card title={t.detail} headerAction={<GrantActions grant={grant} />}>
    <Facts
      rows={[
        { name: t.columns.reason, value: <span className="break-words">{grant.reason}</span> },
        { name: t.source, value: sourceOf(grant) },
        { name: t.grantedAt, value: <DateText value={grant.createdAt} style="datetime" className="figures" /> },
        { name: t.columns.lastDay, value: <DateText value={lastDayOf(grant.expiresAt)} className="figures" /> },
        { name: t.columns.amounts, value: <Money amount={grant.amounts} /> },
        { name: t.columns.used, value: <Money amount={grant.amount_used} /> },
        { name: t.columns.left, value: <Money amount={grant.amount_left} />, strong: true },
        { name: t.remain, value: <Money amount={grant.remain} /> },
      ]}
    />
  </Card>
)

const Ways = ({ grant }: { grant: PointGrant }) => (
  <p className="grid gap-2 text-sm">
    <Link to={ledgerHref({ kind: 'points', id: grant._user }) ?? LIST} className={LINK}>
      {t.openLedger}
    </Link>
    <Link to={`${LIST}?_user=${grant._user}`} className={LINK}>
      {t.openMember}
    </Link>
    {grant._order && (
      <Link to={`/console/shop/orders/${grant._order}`} className={LINK}>
        {t.order} {grant.orderNo}
      </Link>
    )}
    {grant._grant && (
      <Link to={`/console/shop/points?id=${grant._grant}`} className={LINK}>
        {t.openBulk}
      </Link>
    )}
  </p>
)
