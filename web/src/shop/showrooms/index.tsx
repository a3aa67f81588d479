// Showrooms: products grouped by a theme.
import { Images } from 'lucide-react'
import { useShowrooms } from '../../features/content/api'
import { ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { Picture } from '../../ui/Picture'
import { PageTitle } from '../../ui/Section'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'

export function Component() {
  const { data, error, refetch } = useShowrooms()
  return (
    <main id="content" className="shell py-8 md:py-12">
      <PageTitle lead="하나의 주제로 모은 상품을 쇼룸에서 만나 보세요.">쇼룸</PageTitle>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading className="mt-8 grid gap-6 sm:grid-cols-2 md:grid-cols-3">
          <Skeleton className="h-72 rounded-lg" />
          <Skeleton className="h-72 rounded-lg" />
          <Skeleton className="h-72 rounded-lg" />
        </Loading>
      ) : data.showrooms.length === 0 ? (
        <EmptyState
          icon={<Images />}
          title="쇼룸을 준비하고 있습니다"
          text="곧 공개합니다. 그동안 전체 상품을 둘러보세요."
          action={<ButtonLink to="/shop/products">전체 상품</ButtonLink>}
        />
      ) : (
        <ul className="mt-8 grid gap-x-6 gap-y-10 sm:grid-cols-2 md:grid-cols-3">
          {data.showrooms.map((room, i) => (
            <li key={room._id} className="group relative">
              <Picture src={room.image?.url} alt="" ratio={1.25} first={i < 3} sizes="(width < 64rem) 100vw, 24rem" />
              <h2 className="mt-4 font-bold text-xl">
                <Link
                  to={`/shop/showrooms/${encodeURIComponent(room.code)}`}
                  className="after:absolute after:inset-0 after:rounded-lg group-hover:underline"
                >
                  {room.name}
                </Link>
              </h2>
              {room.desc && <p className="mt-1 line-clamp-2 text-ink-2">{room.desc}</p>}
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}
