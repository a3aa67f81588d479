// My points: what they are worth, what expires soon, and how they came and went.
import { keepPreviousData } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { PointEntry } from '../../api/types'
import { cn } from '../../lib/cn'
import { lastMoment } from '../../lib/date'
import { usePage } from '../../lib/usePage'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { MY_POINTS } from '../benefits'
import { MyPage } from '../MyPage'

const SIZE = 20

export function Component() {
  const { page, hrefOf } = usePage()
  const points = useApiQuery(MY_POINTS, { headers: paged(page, SIZE) }, { placeholderData: keepPreviousData })
  const summary = points.data?.summary
  return (
    <MyPage title="적립금">
      {summary && (
        <>
          <dl className="mt-6 grid grid-cols-3 divide-x divide-line rounded-lg border border-line bg-raised">
            <Sum name="사용가능" amount={summary.available} />
            <Sum name="적립예정" amount={summary.expected} className="text-ink-2" />
            <Sum
              name="30일 이내 소멸"
              amount={summary.expiringSoon}
              className={summary.expiringSoon > 0 ? 'text-danger' : undefined}
            />
          </dl>
          <p className="mt-2 text-ink-3 text-sm">적립예정 금액은 구매확정 후 쌓입니다.</p>
          <h2 className="mt-10 font-bold text-xl">적립·사용 내역</h2>
        </>
      )}
      <PagedList
        query={points}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-4"
        skeleton={
          <>
            <Skeleton className="h-28 rounded-lg" />
            <Skeleton className="h-64 rounded-lg" />
          </>
        }
        empty={<EmptyState icon={<Coins />} title="아직 내역이 없습니다" text="구매를 확정하면 적립금이 쌓입니다." />}
      >
        {(answer) => (
          <ul className="mt-3 divide-y divide-line border-line border-y">
            {answer.points.map((entry) => (
              <Entry key={entry._id} entry={entry} />
            ))}
          </ul>
        )}
      </PagedList>
    </MyPage>
  )
}

const Sum = ({ name, amount, className }: { name: string; amount: number; className?: string }) => (
  <div className="min-w-0 px-3 py-4 sm:p-5 md:p-6">
    <dt className="text-ink-2 text-xs sm:text-sm">{name}</dt>
    <dd className={cn('mt-1 font-extrabold text-base sm:text-2xl md:text-3xl', className)}>
      <Money amount={amount} />
    </dd>
  </div>
)

function Entry({ entry }: { entry: PointEntry }) {
  const came = entry.kind === 'INCREASE'
  return (
    <li className="flex items-start justify-between gap-4 py-4">
      <div className="min-w-0">
        <p className="font-medium">{entry.reason}</p>
        <p className="figures mt-0.5 text-ink-3 text-sm">
          <DateText value={entry.createdAt} />
          {entry.orderNo && (
            <Link to={`/mypage/orders-detail?order=${entry.orderNo}`} className="tap ml-2 underline underline-offset-2">
              {entry.orderNo}
            </Link>
          )}
        </p>
        {came && entry.expiresAt && (
          <p className="figures text-ink-3 text-sm">
            <DateText value={lastMoment(entry.expiresAt)} />
            까지
            {entry.amountLeft != null && (
              <>
                {' '}
                · 남은 금액 <Money amount={entry.amountLeft} />
              </>
            )}
          </p>
        )}
      </div>
      <Money
        amount={came ? entry.amounts : -entry.amounts}
        signed
        className={cn('shrink-0 font-bold text-lg', came ? 'text-success' : 'text-ink')}
      />
    </li>
  )
}
