// Shared by the event pages: their tabs, the period of a promotion, and the frame of a list.
import type { ReactNode } from 'react'
import type { PromotionCard } from '../../features/promotions/api'
import { Badge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'
import { PageTitle } from '../../ui/Section'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { TabLinks } from '../../ui/Tabs'

export function EventFrame({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <main id="content" className="shell py-8 md:py-12">
      <PageTitle lead={lead}>이벤트</PageTitle>
      <TabLinks
        label="이벤트"
        className="mt-5"
        tabs={[
          { to: '/sub/event/ongoing', label: '진행 중' },
          { to: '/sub/event/exhibition', label: '기획전' },
          { to: '/sub/event/tag', label: '태그' },
          { to: '/sub/event/coupon', label: '쿠폰' },
          { to: '/sub/event/ended', label: '지난 이벤트' },
        ]}
      />
      <div className="mt-8">{children}</div>
    </main>
  )
}

/** The period in days; the last day is that of the last moment. */
export function Period({ of: { startsAt, endsAt } }: { of: Pick<PromotionCard, 'startsAt' | 'endsAt'> }) {
  if (!startsAt && !endsAt) return <>상시 진행</>
  return (
    <>
      {startsAt && <DateText value={startsAt} />} ~ {endsAt && <DateText value={Date.parse(endsAt) - 1} />}
    </>
  )
}

export const EndedBadge = ({ of: { state } }: { of: Pick<PromotionCard, 'state'> }) =>
  state === 'ENDED' ? <Badge>종료</Badge> : null

type LoadedProps<T> = {
  of: { data?: T; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}

/** The content once it is loaded; its error or an outline before. */
export function Loaded<T>({ of: { data, error, refetch }, children }: LoadedProps<T>) {
  if (data) return children(data)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Loading className="grid gap-6 sm:grid-cols-2 md:grid-cols-3">
      <Skeleton className="h-72 rounded-lg" />
      <Skeleton className="h-72 rounded-lg" />
      <Skeleton className="h-72 rounded-lg" />
    </Loading>
  )
}
