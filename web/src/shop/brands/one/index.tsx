// One brand: its description, and its products by category.
import { keepPreviousData } from '@tanstack/react-query'
import { PackageOpen } from 'lucide-react'
import { useParams, useSearchParams } from 'react-router'
import { paged } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import { useCategories } from '../../../features/categories/api'
import { CategoryTabs } from '../../../features/categories/CategoryTabs'
import { pathTo } from '../../../features/categories/pathTo'
import { useBrands } from '../../../features/content/api'
import { GridOutline, ProductGrid } from '../../../features/products/ProductCard'
import { useTitle } from '../../../lib/pageContext'
import { pageIn } from '../../../lib/usePage'
import { Breadcrumbs } from '../../../ui/Breadcrumbs'
import { ButtonLink } from '../../../ui/Button'
import { PagedList } from '../../../ui/PagedList'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states'
import { BrandMark } from '../BrandMark'

const SIZE = 20

export function Component() {
  const { code = '' } = useParams()
  const { data, error, refetch } = useBrands({ code })
  const brand = data?.brands.find((one) => one.code === code)
  useTitle(brand?.name)
  return (
    <main id="content" className="shell py-6 md:py-10">
      <Breadcrumbs steps={[{ label: '브랜드', to: '/shop/brands' }, ...(brand ? [{ label: brand.name }] : [])]} />
      {brand ? (
        <>
          <header className="mt-5 flex items-center gap-5 md:gap-8">
            <BrandMark brand={brand} className="aspect-square w-24 shrink-0 md:w-36" />
            <div className="min-w-0">
              <h1 className="font-extrabold text-3xl md:text-4xl">{brand.name}</h1>
              {brand.nameEn && <p className="mt-0.5 text-ink-3">{brand.nameEn}</p>}
              {brand.desc && <p className="mt-2 max-w-2xl text-ink-2">{brand.desc}</p>}
            </div>
          </header>
          <BrandProducts code={code} categories={brand.categories ?? []} />
        </>
      ) : error && !data ? (
        <>
          <h1 className="sr-only">브랜드</h1>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </>
      ) : data ? (
        <>
          <h1 className="sr-only">브랜드</h1>
          <EmptyState
            title="찾으시는 브랜드가 없습니다"
            action={<ButtonLink to="/shop/brands">모든 브랜드</ButtonLink>}
          />
        </>
      ) : (
        <Loading className="mt-5">
          <Skeleton className="h-28 w-full max-w-xl rounded-lg" />
          <GridOutline count={8} className="mt-10" />
        </Loading>
      )}
    </main>
  )
}

function BrandProducts({ code, categories }: { code: string; categories: readonly string[] }) {
  const [params] = useSearchParams()
  const category = params.get('category') || undefined
  const page = pageIn(params)
  const tree = useCategories()
  const own = tree.filter((top) => categories.length === 0 || categories.some((code) => pathTo(code, tree)[0] === top))
  const href = (to: { category?: string; page?: number }) => {
    const query = new URLSearchParams({
      ...(to.category ? { category: to.category } : {}),
      ...(to.page && to.page > 1 ? { page: String(to.page) } : {}),
    }).toString()
    return `/shop/brands/${encodeURIComponent(code)}${query ? `?${query}` : ''}`
  }
  const products = useApiQuery(
    '/api/v1/shop/products',
    { query: { brand: code, category }, headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  return (
    <>
      <CategoryTabs
        categories={own}
        current={category && (pathTo(category, tree)[0]?.code ?? category)}
        hrefOf={(to) => href({ category: to })}
        className="mt-8 md:mt-10"
      />
      <div className="mt-8">
        <PagedList
          query={products}
          page={page}
          size={SIZE}
          hrefOf={(to) => href({ category, page: to })}
          paginationClass="mt-14"
          skeleton={<GridOutline count={8} />}
          empty={
            category ? (
              <EmptyState
                icon={<PackageOpen />}
                title="이 카테고리에는 상품이 없습니다"
                action={<ButtonLink to={href({})}>브랜드 상품 모두 보기</ButtonLink>}
              />
            ) : (
              <EmptyState icon={<PackageOpen />} title="아직 이 브랜드의 상품이 없습니다" />
            )
          }
        >
          {(answer) => <ProductGrid products={answer.products} />}
        </PagedList>
      </div>
    </>
  )
}
