// One member's coupon: its terms in a sentence, what became of it, and the way to the log.
import { useApiQuery } from '../../api/query'
import { useTitle } from '../../lib/pageContext'
import { Card, Facts } from '../../ui/Card'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { LoadError } from '../../ui/LoadError'
import { Money } from '../../ui/Money'
import { Loading, Skeleton } from '../../ui/states'
import { lastDayOf, nameOf } from '../benefits/fields'
import type { UserCouponDetail } from '../benefits/types'
import { ledgerHref } from '../history/links'
import { CouponActions, CouponBadge, worthOf } from './cells'
import { USER_COUPON } from './commands'
import { userCouponWords as t } from './words'

const LIST = '/console/user-coupons'
const LINK = 'w-fit underline underline-offset-4 hover:text-accent'

export function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useApiQuery(USER_COUPON, { path: { id } })
  const coupon = data?.coupon
  useTitle(coupon ? `${coupon.couponName} · ${nameOf(coupon)}` : t.detail)
  return (
    <main id="content" className="mx-auto max-w-3xl">
      <p className="text-sm">
        <Link to={LIST} className="tap text-ink-2 underline-offset-4 hover:underline">
          ‹ {t.back}
        </Link>
      </p>
      <h1 className="mt-1 flex flex-wrap items-center gap-3 font-bold text-2xl">
        {coupon?.couponName ?? t.detail}
        {coupon && <CouponBadge state={coupon.state} />}
      </h1>
      {error && !coupon ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : !coupon ? (
        <Loading className="mt-5">
          <Skeleton className="h-72" />
        </Loading>
      ) : (
        <div className="mt-5 grid gap-5">
          <CouponCard coupon={coupon} />
          <Ways coupon={coupon} />
        </div>
      )}
    </main>
  )
}

function CouponCard({ coupon }: { coupon: UserCouponDetail }) {
  const { round, startsAt, endsAt, usedAt, discount, share, memo } = coupon
  const rows = [
    { name: t.columns.member, value: nameOf(coupon), strong: false },
    { name: t.columns.worth, value: <span className="figures">{worthOf(coupon)}</span> },
    round != null && { name: t.round, value: t.nth(round) },
    {
      name: t.columns.issuedAt,
      value: <DateText value={coupon.issuedAt} style="datetime" className="figures" />,
    },
    startsAt && { name: t.startsAt, value: <DateText value={startsAt} className="figures" /> },
    {
      name: t.columns.endsAt,
      value: endsAt ? <DateText value={lastDayOf(endsAt)} className="figures" /> : t.noEnd,
    },
    coupon._seller && { name: t.share, value: `${share}%` },
    usedAt && { name: t.usedAt, value: <DateText value={usedAt} style="datetime" className="figures" /> },
    discount != null && { name: t.discount, value: <Money amount={discount} /> },
    memo && { name: t.memo, value: <span className="break-words">{memo}</span> },
  ].filter((row) => typeof row === 'object' && row !== null)
  return (
    <Card title={t.terms} headerAction={<CouponActions coupon={coupon} />}>
      <p className="mb-5 rounded-md bg-sunken px-4 py-3">{coupon.sentence}</p>
      <Facts rows={rows} />
    </Card>
  )
}

const Ways = ({ coupon }: { coupon: UserCouponDetail }) => (
  <p className="grid gap-2 text-sm">
    <Link to={ledgerHref({ kind: 'issued-coupon', id: coupon._id }) ?? LIST} className={LINK}>
      {t.openLedger}
    </Link>
    <Link to={`/console/shop/coupons?id=${coupon._coupon}`} className={LINK}>
      {t.openCoupon}
    </Link>
    <Link to={`${LIST}?_user=${coupon._user}`} className={LINK}>
      {t.openMember}
    </Link>
    {coupon._order && (
      <Link to={`/console/shop/orders/${coupon._order}`} className={LINK}>
        {t.order} {coupon.orderNo}
      </Link>
    )}
  </p>
)
