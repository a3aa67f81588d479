// The ongoing tag events, each with its products (R095).
import { Hash } from 'lucide-react'
import { GridOutline, ProductGrid } from '../../../features/products/ProductCard'
import { type PromotionCard, useTagEvent, useTagEvents } from '../../../features/promotions/api'
import { ButtonLink } from '../../../ui/Button'
import { EmptyState, Loading } from '../../../ui/states'
import { EventFrame, Loaded, Period, PromotionHead } from '../parts'

export function Component() {
  const events = useTagEvents()
  return (
    <EventFrame lead="태그로 모은 상품을 만나 보세요.">
      <Loaded of={{ ...events, data: events.data?.tagEvents }}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              icon={<Hash />}
              title="진행 중인 태그 이벤트가 없습니다"
              text="새 태그 이벤트를 준비하고 있습니다."
              action={<ButtonLink to="/sub/event/ongoing">진행 중인 이벤트</ButtonLink>}
            />
          ) : (
            <div className="grid gap-14">
              {found.map((card) => (
                <TagEvent key={card._id} card={card} />
              ))}
            </div>
          )
        }
      </Loaded>
    </EventFrame>
  )
}

function TagEvent({ card }: { card: PromotionCard }) {
  const { data, error } = useTagEvent(card._id)
  const found = data?.tagEvent
  return (
    <section aria-labelledby={`tag-${card._id}`}>
      <PromotionHead of={card}>
        <p className="font-semibold text-accent">#{card.tag}</p>
        <h2 id={`tag-${card._id}`} className="wrap-anywhere mt-1 font-bold text-2xl">
          {card.name}
        </h2>
        <p className="figures mt-1 text-ink-3 text-sm">
          <Period of={card} />
        </p>
        {card.desc && <p className="wrap-anywhere mt-2 text-ink-2">{card.desc}</p>}
      </PromotionHead>
      {found?.content && (
        <div
          className="prose-shop mt-5 max-w-3xl"
          // Sanitised by the server.
          dangerouslySetInnerHTML={{ __html: found.content }}
        />
      )}
      {found ? (
        found.products.length > 0 && (
          <div className="mt-6">
            <ProductGrid products={found.products} />
          </div>
        )
      ) : !error ? (
        <Loading className="mt-6">
          <GridOutline count={4} />
        </Loading>
      ) : null}
    </section>
  )
}
