// What I like, twenty to a page.
import { Heart } from 'lucide-react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { LIKES_SIZE, useLikes } from '../../features/likes/api'
import { GridOutline, ProductGrid } from '../../features/products/ProductCard'
import { grouped } from '../../i18n/number'
import { pageCount } from '../../lib/pagination'
import { ButtonLink } from '../../ui/Button'
import { Pagination } from '../../ui/Pagination'
import { EmptyState, ErrorState, Loading } from '../../ui/states'
import { MyPage } from '../MyPage'

export function Component() {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const asked = Math.max(1, Math.trunc(Number(params.get('page') ?? 1)) || 1)
  const { data, error, refetch, isPlaceholderData } = useLikes(asked)
  const total = data?.summary.totalCount ?? 0
  const last = pageCount(total, LIKES_SIZE)
  // Who unlikes the last of a page stands behind the end.
  if (data && !isPlaceholderData && asked > last) return <Navigate to={`${pathname}?page=${last}`} replace />
  return (
    <MyPage title="찜한 상품" aside={total > 0 && <p className="figures text-ink-2">{grouped(total)}개</p>}>
      <div className="mt-6">
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading>
            <GridOutline count={6} room="beside" />
          </Loading>
        ) : total === 0 ? (
          <EmptyState
            icon={<Heart />}
            title="찜한 상품이 없습니다"
            text="마음에 드는 상품의 하트를 눌러 두면 이곳에서 다시 볼 수 있습니다."
            action={<ButtonLink to="/shop/products">상품 둘러보기</ButtonLink>}
          />
        ) : (
          <ProductGrid products={data.likes.map(({ product }) => product)} room="beside" waiting={isPlaceholderData} />
        )}
        {total > LIKES_SIZE && (
          <Pagination page={asked} pages={last} hrefOf={(to) => `${pathname}?page=${to}`} className="mt-8" />
        )}
      </div>
    </MyPage>
  )
}
