// What I like.
import { Heart } from 'lucide-react'
import { useLikes } from '../../api/likes'
import { grouped } from '../../i18n/number'
import { GridOutline, ProductGrid } from '../../parts/ProductCard'
import { ButtonLink } from '../../ui/Button'
import { EmptyState, ErrorState, Loading } from '../../ui/states'
import { MyPage } from '../parts/MyPage'

export function Component() {
  const { data, error, refetch } = useLikes()
  const products = data?.likes.flatMap(({ product }) => product ?? []) ?? []
  return (
    <MyPage
      title="찜한 상품"
      aside={products.length > 0 && <p className="figures text-ink-2">{grouped(products.length)}개</p>}
    >
      <div className="mt-6">
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading>
            <GridOutline count={6} room="beside" />
          </Loading>
        ) : products.length === 0 ? (
          <EmptyState
            icon={<Heart />}
            title="찜한 상품이 없습니다"
            text="마음에 드는 상품의 하트를 눌러 두면 이곳에서 다시 볼 수 있습니다."
            action={<ButtonLink to="/shop/products">상품 둘러보기</ButtonLink>}
          />
        ) : (
          <ProductGrid products={products} room="beside" />
        )}
      </div>
    </MyPage>
  )
}
