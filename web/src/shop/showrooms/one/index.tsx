// One showroom: its picture, text and products.
import { useParams } from 'react-router'
import { toApiError } from '../../../api/errors'
import { useShowroom } from '../../../features/content/api'
import { GridOutline, ProductGrid } from '../../../features/products/ProductCard'
import { useTitle } from '../../../lib/pageContext'
import { Breadcrumbs } from '../../../ui/Breadcrumbs'
import { ButtonLink } from '../../../ui/Button'
import { Picture } from '../../../ui/Picture'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states'

const NOT_FOUND = 404

export function Component() {
  const { code = '' } = useParams()
  const { data, error, refetch } = useShowroom(code)
  const room = data?.showroom
  useTitle(room?.name)
  return (
    <main id="content" className="shell py-6 md:py-10">
      <Breadcrumbs steps={[{ label: '쇼룸', to: '/shop/showrooms' }, ...(room ? [{ label: room.name }] : [])]} />
      {room ? (
        <>
          <header className="mt-5 grid gap-6 md:grid-cols-[1.3fr_1fr] md:items-center md:gap-12">
            <Picture src={room.image?.url} alt="" ratio={1.6} first sizes="(width < 64rem) 100vw, 42rem" />
            <div>
              <h1 className="font-extrabold text-3xl md:text-4xl">{room.name}</h1>
              {room.desc && <p className="mt-3 whitespace-pre-line text-ink-2 text-lg">{room.desc}</p>}
            </div>
          </header>
          <section aria-label="쇼룸의 상품" className="mt-12">
            {(room.products?.length ?? 0) > 0 ? (
              <ProductGrid products={room.products ?? []} />
            ) : (
              <EmptyState title="아직 등록된 상품이 없습니다" />
            )}
          </section>
        </>
      ) : error ? (
        <>
          <h1 className="sr-only">쇼룸</h1>
          {toApiError(error).status === NOT_FOUND ? (
            <EmptyState
              title="찾으시는 쇼룸이 없습니다"
              action={<ButtonLink to="/shop/showrooms">쇼룸 목록</ButtonLink>}
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
