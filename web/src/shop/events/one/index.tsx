// One event or exhibition: its picture, period, text, raffle, coupons and products (R092, R094, R097).
import type { ReactNode } from 'react'
import { useLocation, useParams } from 'react-router'
import { toApiError } from '../../../api/errors'
import { CouponOffers } from '../../../features/coupons/CouponOffers'
import { GridOutline, ProductGrid } from '../../../features/products/ProductCard'
import { type Promotion, useEvent, useExhibition } from '../../../features/promotions/api'
import { RaffleSection } from '../../../features/promotions/RaffleSection'
import { useTitle } from '../../../lib/pageContext'
import { Breadcrumbs } from '../../../ui/Breadcrumbs'
import { ButtonLink } from '../../../ui/Button'
import { Section } from '../../../ui/Section'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states'
import { EndedBadge, Period, PromotionHead } from '../parts'

const NOT_FOUND = 404

export function Component() {
  const { eventId, exhibitionId } = useParams()
  const { pathname } = useLocation()
  const event = useEvent(eventId)
  const exhibition = useExhibition(exhibitionId)
  const { error, refetch } = eventId ? event : exhibition
  const found = eventId ? event.data?.event : exhibition.data?.exhibition
  const list = exhibitionId
    ? { label: '기획전', to: '/sub/event/exhibition' }
    : found?.state === 'ENDED' || pathname.includes('/ended/')
      ? { label: '지난 이벤트', to: '/sub/event/ended' }
      : { label: '이벤트', to: '/sub/event/ongoing' }
  useTitle(found?.name)
  return (
    <main id="content" className="shell py-6 md:py-10">
      <Breadcrumbs steps={[list, ...(found ? [{ label: found.name }] : [])]} />
      {found ? (
        <Content of={found} at={pathname}>
          {eventId && event.data?.raffle && (
            <RaffleSection
              id={eventId}
              endsAt={found.endsAt}
              ended={found.state === 'ENDED'}
              raffle={event.data.raffle}
              at={pathname}
            />
          )}
        </Content>
      ) : error ? (
        <>
          <h1 className="sr-only">{list.label}</h1>
          {toApiError(error).status === NOT_FOUND ? (
            <EmptyState
              title={`찾으시는 ${exhibitionId ? '기획전이' : '이벤트가'} 없습니다`}
              action={<ButtonLink to={list.to}>{list.label} 목록</ButtonLink>}
            />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </>
      ) : (
        <Loading className="mt-5">
          <Skeleton className="h-72 rounded-lg" />
          <GridOutline count={4} className="mt-12" />
        </Loading>
      )}
    </main>
  )
}

function Content({ of: found, at, children }: { of: Promotion; at: string; children: ReactNode }) {
  return (
    <>
      <PromotionHead of={found} first className="mt-5">
        <p className="figures flex flex-wrap items-center gap-2 text-ink-3">
          <Period of={found} />
          <EndedBadge of={found} />
        </p>
        <h1 className="wrap-anywhere mt-1 font-extrabold text-3xl md:text-4xl">{found.name}</h1>
        {found.desc && <p className="wrap-anywhere mt-3 whitespace-pre-line text-ink-2 text-lg">{found.desc}</p>}
      </PromotionHead>
      {found.content && (
        <div
          className="prose-shop mt-8 max-w-3xl"
          // Sanitised by the server.
          dangerouslySetInnerHTML={{ __html: found.content }}
        />
      )}
      {children}
      {found.coupons.length > 0 && (
        <Section title="쿠폰" className="mt-12">
          <CouponOffers coupons={found.coupons} next={at} />
        </Section>
      )}
      {found.products.length > 0 && (
        <Section title="상품" className="mt-12">
          <ProductGrid products={found.products} />
        </Section>
      )}
    </>
  )
}
