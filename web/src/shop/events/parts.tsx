// Shared by the event pages: their tabs, the period of a promotion, and the frame of a list.
import type { ReactNode } from 'react'
import type { PromotionCard } from '../../features/promotions/api'
import { cn } from '../../lib/cn'
import { Badge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'
import { Picture } from '../../ui/Picture'
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

type HeadProps = {
  of: Pick<PromotionCard, 'banner' | 'thumb'>
  first?: boolean
  children: ReactNode
  className?: string
}

/** The picture and the words of a promotion: below a wide banner, or beside the picture of its card, which a wide frame would cut. */
export function PromotionHead({ of: { banner, thumb }, first, children, className }: HeadProps) {
  if (banner)
    return (
      <header className={className}>
        <Picture
          src={banner.url}
          alt={banner.alt ?? ''}
          ratio={2.4}
          first={first}
          sizes="(width < 80rem) 100vw, 80rem"
        />
        <div className="mt-6">{children}</div>
      </header>
    )
  return (
    <header className={cn('grid gap-6 md:grid-cols-[1.3fr_1fr] md:items-center md:gap-12', className)}>
      <Picture src={thumb.url} alt={thumb.alt ?? ''} ratio={1.6} first={first} sizes="(width < 64rem) 100vw, 42rem" />
      <div>{children}</div>
    </header>
  )
}

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
