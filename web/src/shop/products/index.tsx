// All products: by category, name, brand and price, sorted, in pages. The state is in the address.
import { keepPreviousData } from '@tanstack/react-query'
import { SearchX, SlidersHorizontal, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOAST_ON_ERROR } from '../../api/queryClient'
import { type Category, useCategories } from '../../features/categories/api'
import { CategoryTabs } from '../../features/categories/CategoryTabs'
import { pathTo } from '../../features/categories/pathTo'
import { GridOutline, ProductGrid } from '../../features/products/ProductCard'
import { ko } from '../../i18n/ko'
import { grouped } from '../../i18n/number'
import { cn } from '../../lib/cn'
import { useTitle } from '../../lib/pageContext'
import { Button, ButtonLink } from '../../ui/Button'
import { CountBadge } from '../../ui/CountBadge'
import { Sheet } from '../../ui/Dialog'
import { Input, Select } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { EmptyState } from '../../ui/states'
import { ActiveFilters, Filters } from './Filters'
import {
  ALL,
  activeFilterCount,
  type ListingState,
  listingHref,
  listingQuery,
  PAGE_SIZE,
  readListing,
  SORTS,
} from './listing'

export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [filtering, setFiltering] = useState(false)
  const listing = readListing(params)
  const { category, searchValue, sort, page } = listing
  const tree = useCategories()
  const way = category ? pathTo(category, tree) : []
  // An unknown category code; an empty tree has not loaded yet.
  const unknown = category !== undefined && tree.length > 0 && way.length === 0
  const title = unknown ? '없는 카테고리' : (way.at(-1)?.name ?? ko.chrome.allProducts)
  useTitle(searchValue ? `${searchValue} 검색` : title)
  const products = useApiQuery(
    '/api/v1/shop/products',
    { query: { ...listingQuery(listing), facets: true }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData, meta: TOAST_ON_ERROR },
  )
  const { data } = products
  const total = data?.summary.totalCount
  const facets = data?.summary.facets ?? undefined
  const on = activeFilterCount(listing)

  return (
    <main id="content" className="shell py-8 md:py-12">
      <h1 className="font-extrabold text-3xl">{title}</h1>
      <CategoryTabs
        categories={tree}
        current={way[0]?.code}
        hrefOf={(code) => listingHref({ ...listing, category: code, page: 1 })}
        className="mt-4"
      />
      <SubCategories way={way} listing={listing} />
      <CategoryBrands category={way.at(-1)} listing={listing} />
      <div className="mt-6 md:grid md:grid-cols-[12.5rem_minmax(0,1fr)] md:gap-10">
        <aside aria-label="상품 조건" className="max-md:hidden">
          {/* The fade shows that more follows below. */}
          <div className="sticky top-40 max-h-[calc(100dvh-11rem)] overflow-y-auto pr-1 pb-10 [mask-image:linear-gradient(to_bottom,black_calc(100%-2.5rem),transparent)]">
            <Filters listing={listing} facets={facets} />
          </div>
        </aside>
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
            <p className="mr-auto text-ink-2" aria-live="polite">
              {total ? `전체 ${grouped(total)}개` : null}
            </p>
            {/* A new search resets the input. */}
            <NameSearch key={searchValue} listing={listing} />
            <Button variant="outline" onClick={() => setFiltering(true)} className="relative md:hidden">
              <SlidersHorizontal aria-hidden />
              필터
              <CountBadge count={on} />
            </Button>
            <Select
              aria-label="정렬"
              value={sort ?? ''}
              placeholder={searchValue ? '정확도순' : undefined}
              options={searchValue ? SORTS : SORTS.map((s) => (s.value === 'LATEST' ? { ...s, value: '' } : s))}
              onChange={(event) =>
                void navigate(listingHref({ ...listing, sort: event.target.value || undefined, page: 1 }))
              }
              className="w-36 max-xs:flex-1"
            />
          </div>
          <ActiveFilters listing={listing} facets={facets} seller={data?.products[0]?.seller.nickname ?? undefined} />

          <div className="mt-6">
            {unknown ? (
              <EmptyState
                icon={<SearchX />}
                title="없는 카테고리입니다"
                text="주소가 바뀌었거나 없어진 카테고리입니다. 다른 카테고리를 골라 주세요."
                action={
                  <ButtonLink to={listingHref({ ...listing, category: undefined, page: 1 })}>
                    {ko.chrome.allProducts}
                  </ButtonLink>
                }
              />
            ) : (
              <PagedList
                query={products}
                page={page}
                size={PAGE_SIZE}
                hrefOf={(to) => listingHref({ ...listing, page: to })}
                paginationClass="mt-14"
                skeleton={<GridOutline count={9} room="beside" />}
                empty={<NoProducts listing={listing} />}
              >
                {(answer) => <ProductGrid products={answer.products} room="beside" />}
              </PagedList>
            )}
          </div>
        </div>
      </div>
      <Sheet
        open={filtering}
        onOpenChange={setFiltering}
        side="bottom"
        title="필터"
        footer={
          <Button size="lg" block onClick={() => setFiltering(false)}>
            {total !== undefined ? `${grouped(total)}개 상품 보기` : ko.action.close}
          </Button>
        }
      >
        <Filters listing={listing} facets={facets} />
      </Sheet>
    </main>
  )
}

const CHIP =
  'flex h-9 items-center whitespace-nowrap rounded-full border border-line px-3.5 text-ink-2 text-sm hover:border-line-strong aria-[current=true]:border-ink aria-[current=true]:bg-ink aria-[current=true]:font-semibold aria-[current=true]:text-on-ink'

/** The children of the selected top category, and below them the children of the selected child (spec V088). */
function SubCategories({ way, listing }: { way: readonly Category[]; listing: ListingState }) {
  const href = (code?: string) => listingHref({ ...listing, category: code, page: 1 })
  return way.slice(0, 2).map((parent, depth) => {
    const children = parent.children ?? []
    if (children.length === 0) return null
    return (
      <nav key={parent.code} aria-label={`${parent.name} 하위 카테고리`}>
        <ul className="-mx-5 mt-4 flex gap-2 overflow-x-auto px-5 py-1 [scrollbar-width:none] md:mx-0 md:px-0">
          <li className="shrink-0">
            <Link to={href(parent.code)} aria-current={way.length === depth + 1} className={CHIP}>
              {parent.name} 전체
            </Link>
          </li>
          {children.map((child) => (
            <li key={child.code} className="shrink-0">
              <Link to={href(child.code)} aria-current={way.includes(child)} className={CHIP}>
                {child.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    )
  })
}

/** The brands that staff show with the selected category; each narrows the list to it. */
function CategoryBrands({ category, listing }: { category: Category | undefined; listing: ListingState }) {
  const brands = category?.brands ?? []
  if (!category || brands.length === 0) return null
  return (
    <nav aria-label={`${category.name} 브랜드`}>
      <ul className="-mx-5 mt-4 flex gap-2 overflow-x-auto px-5 py-1 [scrollbar-width:none] md:mx-0 md:px-0">
        {brands.map(({ code, name, label }) => (
          <li key={code} className="shrink-0">
            <Link
              to={listingHref({ ...listing, brands: [code], page: 1 })}
              aria-current={listing.brands.length === 1 && listing.brands[0] === code}
              className="flex h-12 items-center gap-2 rounded-md border border-line bg-raised px-3 text-sm hover:border-line-strong aria-[current=true]:border-ink aria-[current=true]:font-semibold"
            >
              {label.url && <img src={label.url} alt="" loading="lazy" className="h-8 max-w-16 object-contain" />}
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NameSearch({ listing }: { listing: ListingState }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(listing.searchValue ?? '')
  const search = (event: FormEvent) => {
    event.preventDefault()
    const term = typed.trim()
    if (term !== (listing.searchValue ?? ''))
      void navigate(listingHref({ ...listing, searchValue: term || undefined, page: 1 }))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to older screen readers
    <form
      role="search"
      aria-label="이 목록에서 찾기"
      onSubmit={search}
      className="relative flex gap-2 max-sm:w-full sm:w-72"
    >
      <div className="relative flex-1">
        <Input
          aria-label="상품 이름"
          placeholder="이 목록에서 찾기"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="pr-9"
        />
        {listing.searchValue && (
          <Link
            to={listingHref({ ...listing, searchValue: undefined, page: 1 })}
            aria-label="검색어 삭제"
            className="absolute inset-y-0 right-0 flex w-9 items-center justify-center text-ink-3 hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Link>
        )}
      </div>
      <Button type="submit" variant="outline">
        {ko.action.search}
      </Button>
    </form>
  )
}

function NoProducts({ listing }: { listing: ListingState }) {
  const { category, searchValue } = listing
  const narrowed = activeFilterCount(listing) > 0
  return (
    <EmptyState
      icon={<SearchX />}
      title={
        searchValue
          ? `‘${searchValue}’에 맞는 상품이 없습니다`
          : narrowed
            ? '조건에 맞는 상품이 없습니다'
            : '아직 상품이 없습니다'
      }
      text={
        searchValue
          ? '철자를 확인하거나 더 짧은 검색어로 찾아보세요.'
          : narrowed
            ? '조건을 하나씩 해제해 보세요.'
            : '곧 상품이 등록됩니다. 다른 카테고리도 둘러보세요.'
      }
      action={
        <div className={cn('flex gap-2')}>
          {narrowed && (
            <ButtonLink to={listingHref({ ...ALL, category, searchValue })} variant="outline">
              조건 초기화
            </ButtonLink>
          )}
          {category && searchValue && (
            <ButtonLink to={listingHref({ searchValue })} variant="outline">
              모든 카테고리에서 찾기
            </ButtonLink>
          )}
          <ButtonLink to="/shop/products">{ko.chrome.allProducts}</ButtonLink>
        </div>
      }
    />
  )
}
