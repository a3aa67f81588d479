// Overview of brands: each with a few of its products.
import { Tags } from 'lucide-react'
import { paged } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import { type Brand, useBrands } from '../../../features/content/api'
import { GridOutline, ProductGrid } from '../../../features/products/ProductCard'
import { ButtonLink } from '../../../ui/Button'
import { PageTitle, Section } from '../../../ui/Section'
import { EmptyState, ErrorState, Loading } from '../../../ui/states'

const EACH = 4

export function Component() {
  const { data, error, refetch } = useBrands()
  // Brands without products for sale are only in the index.
  const brands = data?.brands.filter((brand) => brand.productCount !== 0)
  return (
    <main id="content" className="shell py-8 md:py-12">
      <PageTitle lead="브랜드를 알면 상품이 다르게 보입니다.">브랜드 한눈에 보기</PageTitle>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !brands ? (
        <Loading className="mt-10">
          <GridOutline count={8} />
        </Loading>
      ) : brands.length === 0 ? (
        <EmptyState
          icon={<Tags />}
          title="아직 브랜드가 없습니다"
          action={<ButtonLink to="/shop/products">전체 상품</ButtonLink>}
        />
      ) : (
        brands.map((brand) => <Shelf key={brand._id} brand={brand} />)
      )}
    </main>
  )
}

function Shelf({ brand }: { brand: Brand }) {
  const { data, error, refetch } = useApiQuery('/api/v1/shop/products', {
    query: { brand: brand.code },
    headers: paged(1, EACH),
  })
  if (data?.products.length === 0) return null
  return (
    <Section
      title={brand.name}
      lead={brand.desc}
      more={{ to: `/shop/brands/${encodeURIComponent(brand.code)}` }}
      className="mt-14"
    >
      {data ? (
        <ProductGrid products={data.products} level={3} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-8" />
      ) : (
        <Loading>
          <GridOutline count={EACH} />
        </Loading>
      )}
    </Section>
  )
}
