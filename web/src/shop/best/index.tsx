// Bestsellers, of all or of one category: ranks, and a crown for the first three (spec V063, V064).
import { Trophy } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useCategories } from '../../features/categories/api'
import { CategoryTabs } from '../../features/categories/CategoryTabs'
import { useBests } from '../../features/content/api'
import { GridOutline, ProductGrid } from '../../features/products/ProductCard'
import { ButtonLink } from '../../ui/Button'
import { PageTitle } from '../../ui/Section'
import { EmptyState, ErrorState, Loading } from '../../ui/states'

export function Component() {
  const [params] = useSearchParams()
  const category = params.get('category') || undefined
  const { data, error, refetch, isPlaceholderData } = useBests(category)
  return (
    <main id="content" className="shell py-8 md:py-12">
      <PageTitle lead="많이 팔린 순서입니다. 오늘 주문까지 반영됩니다.">베스트</PageTitle>
      <CategoryTabs
        categories={useCategories()}
        current={category}
        hrefOf={(code) => (code ? `/shop/best?category=${encodeURIComponent(code)}` : '/shop/best')}
        className="mt-5"
      />
      <div className="mt-8">
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading>
            <GridOutline count={8} />
          </Loading>
        ) : data.products.length === 0 ? (
          <EmptyState
            icon={<Trophy />}
            title="아직 순위가 없습니다"
            text="주문이 쌓이면 이곳에 순위가 표시됩니다."
            action={<ButtonLink to="/shop/products">전체 상품</ButtonLink>}
          />
        ) : (
          <ProductGrid products={data.products} waiting={isPlaceholderData} rankFrom={1} />
        )}
      </div>
    </main>
  )
}
