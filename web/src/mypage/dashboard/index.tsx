// My page: profile, benefits, and the states of my orders.

import type { ReactNode } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { useLikes } from '../../features/likes/api'
import { useLogout } from '../../features/login/useLogout'
import { useRecents } from '../../features/products/recentlyViewed'
import { searchWords } from '../../features/search/words'
import { ko } from '../../i18n/ko'
import { Badge } from '../../ui/Badge'
import { ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { Picture } from '../../ui/Picture'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'

import { MY_COUPONS, MY_POINTS } from '../benefits'
import { MyPage } from '../MyPage'
import { OrderBox } from '../orders'
import { MY_ORDERS } from '../orders/api'
import { StatusStrip } from '../orders/StatusStrip'

import { MyDocuments } from './MyDocuments'

const NEWEST = 3
const MONTHS = 3
/** Placeholder for a line that is loading. */
const NBSP = '\u00a0'

export function Component() {
  const me = useApiQuery('/api/v1/me/info').data?.user
  const orders = useApiQuery(MY_ORDERS, { query: { filter: 'all', months: MONTHS }, headers: paged(1, NEWEST) })
  const coupons = useApiQuery(MY_COUPONS, { query: { tab: 'usable' }, headers: paged(1, 1) }).data
  const points = useApiQuery(MY_POINTS, { headers: paged(1, 1) }).data
  const likes = useLikes(1).data
  const leave = useLogout()
  // Only companies have documents.
  const isCompany = useSession((s) => s.payload?.userType === 'COMPANY')
  return (
    <MyPage title={ko.chrome.mypage}>
      <section
        aria-label="내 정보"
        className="mt-6 grid gap-4 rounded-lg bg-sunken p-5 sm:grid-cols-[1fr_auto_auto_auto] sm:items-center md:p-6"
      >
        <p className="flex flex-wrap items-center gap-2 font-bold text-xl">
          {me ? `${me.nickname || me.name || '회원'}님` : <Skeleton className="h-7 w-32" />}
          {me?.membershipLevel && <Badge tone="ink">{me.membershipLevel.name}</Badge>}
        </p>
        <Amount
          to="/mypage/coupons"
          name="쿠폰"
          note={
            coupons && coupons.summary.expiringSoon > 0 ? (
              <Link to="/mypage/coupons/expiring" className="rounded-xs text-danger hover:underline">
                만료임박 {coupons.summary.expiringSoon}장
              </Link>
            ) : undefined
          }
        >
          {coupons ? `${coupons.summary.totalCount}장` : '–'}
        </Amount>
        <Amount to="/mypage/points" name="적립금" note={points ? <ExpectedPoints {...points.summary} /> : NBSP}>
          {points ? <Money amount={points.summary.available} /> : '–'}
        </Amount>
        <Amount to="/mypage/likes" name="찜">
          {likes ? `${likes.summary.totalCount}개` : '–'}
        </Amount>
      </section>
      <div className="mt-5">
        <StatusStrip counts={orders.data?.summary.counts} months={String(MONTHS)} />
      </div>
      <section aria-labelledby="newest" className="mt-10">
        <div className="mb-4 flex items-baseline justify-between">
          <h2 id="newest" className="font-bold text-xl">
            최근 주문
          </h2>
          <Link to="/mypage/orders" className="tap rounded-xs text-ink-2 text-sm hover:text-ink hover:underline">
            {ko.action.more}
          </Link>
        </div>
        {orders.data ? (
          orders.data.orders.length > 0 ? (
            <div className="grid gap-4">
              {orders.data.orders.map((order) => (
                <OrderBox key={order._id} order={order} level={3} />
              ))}
            </div>
          ) : (
            <EmptyState
              title="최근 3개월간 주문 내역이 없습니다"
              action={<ButtonLink to="/shop/products">상품 둘러보기</ButtonLink>}
            />
          )
        ) : orders.error ? (
          <ErrorState error={orders.error} onRetry={() => void orders.refetch()} />
        ) : (
          <Loading className="grid gap-4">
            {Array.from({ length: NEWEST }, (_, i) => (
              <Skeleton key={i} className="h-64 rounded-lg" />
            ))}
          </Loading>
        )}
      </section>
      {isCompany && <MyDocuments />}
      <Recents />
      <p className="mt-10 flex gap-5 text-sm">
        {/* Larger screens have it in the header. */}
        <button
          type="button"
          onClick={() => void leave()}
          className="tap rounded-xs text-ink-3 hover:text-ink hover:underline md:hidden"
        >
          {ko.action.logout}
        </button>
        <Link to="/mypage/leave" className="tap rounded-xs text-ink-3 hover:text-ink hover:underline">
          회원 탈퇴
        </Link>
      </p>
    </MyPage>
  )
}

type AmountProps = {
  to: string
  name: string
  /** Additional text. */
  note?: ReactNode
  children: ReactNode
}

const Amount = ({ to, name, note, children }: AmountProps) => (
  <div className="sm:min-w-32 sm:self-stretch sm:border-line-strong/40 sm:border-l sm:pl-6">
    <p className="flex items-baseline justify-between gap-4 sm:flex-col sm:gap-0.5">
      <span className="text-ink-2 text-sm">{name}</span>
      <Link to={to} className="figures rounded-xs font-bold text-lg hover:underline">
        <span className="sr-only">{name} </span>
        {children}
      </Link>
    </p>
    {note && <p className="figures text-right text-sm sm:text-left">{note}</p>}
  </div>
)

/** Pending and expiring benefits. */
const ExpectedPoints = ({ expected, expiringSoon }: { expected: number; expiringSoon: number }) => (
  <>
    <span className="block text-ink-3">
      적립예정 <Money amount={expected} />
    </span>
    {expiringSoon > 0 && (
      <span className="block text-danger">
        소멸예정 <Money amount={expiringSoon} />
      </span>
    )}
  </>
)

function Recents() {
  const { recents } = useRecents()
  if (recents.length === 0) return null
  return (
    <section aria-labelledby="recents" className="mt-10">
      <div className="mb-4 flex items-baseline justify-between">
        <h2 id="recents" className="font-bold text-xl">
          {searchWords.recentProducts}
        </h2>
        <Link to="/mypage/recent" className="rounded-xs text-ink-2 text-sm hover:text-ink hover:underline">
          {ko.action.more}
        </Link>
      </div>
      <ul className="-mx-5 flex gap-3 overflow-x-auto px-5 md:mx-0 md:px-0">
        {recents.map((product) => (
          <li key={product._product} className="group relative w-28 shrink-0">
            <Picture src={product.thumb} alt="" sizes="112px" />
            <Link
              to={`/shop/products/${product._product}`}
              className="mt-1.5 line-clamp-2 text-sm after:absolute after:inset-0 after:rounded-lg"
            >
              {product.name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
