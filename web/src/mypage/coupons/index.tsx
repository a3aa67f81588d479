// My coupons: usable, used, expired; and those to take along.
import { Download, Ticket } from 'lucide-react'
import { useParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { MyCoupon } from '../../api/types'
import { RedeemCode } from '../../features/coupons/RedeemCode'
import { OFFERS, useDrawCoupon } from '../../features/coupons/useDrawCoupon'
import { cn } from '../../lib/cn'
import { lastMoment } from '../../lib/date'
import { usePage } from '../../lib/usePage'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { TabLinks } from '../../ui/Tabs'
import { MY_COUPONS } from '../benefits'
import { MyPage } from '../MyPage'
import { STAGES, worth } from './format'

const TABS = [
  { tab: 'usable', label: '사용가능' },
  { tab: 'expiring', label: '만료임박' },
  { tab: 'used', label: '사용완료' },
  { tab: 'expired', label: '만료·회수' },
] as const
const EMPTY: Record<string, string> = {
  usable: '사용 가능한 쿠폰이 없습니다',
  expiring: '7일 이내에 만료되는 쿠폰이 없습니다',
  used: '사용한 쿠폰이 없습니다',
  expired: '기간이 만료되거나 회수된 쿠폰이 없습니다',
}
const SIZE = 20

export function Component() {
  const { tab: given } = useParams()
  const tab = TABS.find((one) => one.tab === given)?.tab ?? 'usable'
  const { page, hrefOf } = usePage()
  const coupons = useApiQuery(MY_COUPONS, { query: { tab }, headers: paged(page, SIZE) })
  const { data } = coupons
  return (
    <MyPage title="쿠폰함">
      <TabLinks
        label="쿠폰 상태"
        className="mt-4"
        tabs={TABS.map((one) => ({
          to: one.tab === 'usable' ? '/mypage/coupons' : `/mypage/coupons/${one.tab}`,
          label: one.label,
          count: one.tab === 'expiring' ? data?.summary.expiringSoon || undefined : undefined,
          end: true,
        }))}
      />
      {tab === 'usable' && <RedeemCode className="mt-6 max-w-md" />}
      <PagedList
        query={coupons}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-4 sm:grid-cols-2"
        skeleton={['a', 'b', 'c', 'd'].map((one) => <Skeleton key={one} className="h-44 rounded-lg" />)}
        empty={<EmptyState icon={<Ticket />} title={EMPTY[tab]} />}
      >
        {(answer) => (
          <ul className="mt-6 grid gap-4 sm:grid-cols-2">
            {answer.coupons.map((coupon) => (
              <CouponCard key={coupon._id} coupon={coupon} />
            ))}
          </ul>
        )}
      </PagedList>
      {/* Below coupons that are there: what stands is not pushed away. */}
      {tab === 'usable' && data && <Offers />}
    </MyPage>
  )
}

const PAPER = 'relative flex flex-col rounded-lg border border-line bg-raised p-5'

function CouponCard({ coupon }: { coupon: MyCoupon }) {
  const over = coupon.state !== 'held'
  const begins = !over && coupon.startsAt && Date.parse(coupon.startsAt) > Date.now() ? coupon.startsAt : undefined
  return (
    <li className={cn(PAPER, over && 'text-ink-3')}>
      <p className="text-ink-3 text-xs">{STAGES[coupon.stage]}</p>
      <p className={cn('figures font-extrabold text-2xl', over ? 'line-through' : 'text-accent')}>{worth(coupon)}</p>
      <h2 className="mt-1 font-semibold">{coupon.name}</h2>
      <p className="wrap-anywhere mt-1 text-ink-3 text-sm">{coupon.sentence}</p>
      {coupon.goods.length > 0 && (
        <p className="wrap-anywhere mt-1 text-ink-3 text-sm">쓸 수 있는 곳: {coupon.goods.join(', ')}</p>
      )}
      <p
        className={cn(
          'mt-3 border-line border-t border-dashed pt-3 text-sm',
          coupon.expiringSoon ? 'text-danger' : 'text-ink-3',
        )}
      >
        {coupon.state === 'taken' ? (
          <>
            <Badge tone="bad">회수됨</Badge>
            {coupon.memo && <span className="wrap-anywhere ml-2">{coupon.memo}</span>}
          </>
        ) : coupon.state === 'used' && coupon.usedAt ? (
          <>
            <DateText value={coupon.usedAt} className="figures" /> 사용
          </>
        ) : begins ? (
          <>
            <DateText value={begins} className="figures" />
            부터 사용할 수 있습니다
          </>
        ) : coupon.endsAt ? (
          <>
            <DateText
              value={lastMoment(coupon.endsAt)}
              style={coupon.expiringSoon ? 'datetime' : 'date'}
              className="figures"
            />
            까지{coupon.expiringSoon && ' · 만료임박'}
          </>
        ) : (
          '기간 제한 없음'
        )}
      </p>
    </li>
  )
}

function Offers() {
  const { data } = useApiQuery(OFFERS)
  const draw = useDrawCoupon()
  if (!data || data.coupons.length === 0) return null
  // What one can still have comes first.
  const offers = [...data.coupons].sort((a, b) => Number(a.drawn) - Number(b.drawn))
  return (
    <section aria-labelledby="offers" className="mt-12">
      <h2 id="offers" className="font-bold text-xl">
        받을 수 있는 쿠폰
      </h2>
      <ul className="mt-4 grid gap-4 sm:grid-cols-2">
        {offers.map((coupon) => (
          <li key={coupon._id} className={cn(PAPER, 'bg-sunken')}>
            <p className="text-ink-3 text-xs">{STAGES[coupon.stage]}</p>
            <p className="figures font-extrabold text-2xl">{worth(coupon)}</p>
            <h3 className="mt-1 font-semibold">{coupon.name}</h3>
            <p className="wrap-anywhere mt-1 mb-4 text-ink-3 text-sm">{coupon.sentence}</p>
            <Button
              size="sm"
              variant={coupon.drawn ? 'outline' : 'primary'}
              className="mt-auto"
              disabled={coupon.drawn}
              busy={draw.isPending && draw.variables === coupon}
              onClick={() => draw.mutate(coupon)}
            >
              {!coupon.drawn && <Download aria-hidden />}
              {coupon.drawn ? '받은 쿠폰' : '쿠폰 받기'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
