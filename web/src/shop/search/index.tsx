// Searching from the header: the products that fit, and the words one looked for lately. Empty results come with three tips.
import { keepPreviousData } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useRead } from '../../api/read'
import type { Products } from '../../api/wire'
import { ko } from '../../i18n/ko'
import { pageCount } from '../../lib/pages'
import { recentSearches } from '../../lib/searches'
import { useTitle } from '../../lib/title'
import { ButtonLink } from '../../ui/Button'
import { Pagination } from '../../ui/Pagination'
import { EmptyState, ErrorState, Loading } from '../../ui/states'
import { GridOutline, ProductGrid } from '../parts/ProductCard'

/** Products a page: 4 in the summary, 12 in the full mode (spec V233, V234). */
const SIZES = { summary: 4, PRODUCT: 12 }
const TIPS = [
  '철자가 바른지 확인해 보세요.',
  '낱말을 줄이거나 다른 낱말로 찾아 보세요.',
  '더 일반적인 말로 찾아 보세요.',
]

const hrefOf = (searchValue: string, mode?: 'PRODUCT', page = 1): string => {
  const params = new URLSearchParams({ searchValue })
  if (mode) params.set('mode', mode)
  if (page > 1) params.set('page', String(page))
  return `/search?${params}`
}

export function Component() {
  const [params] = useSearchParams()
  const term = params.get('searchValue')?.trim() ?? ''
  useTitle(term ? `‘${term}’ 검색` : undefined)
  return (
    <main id="content" className="shell py-8 md:py-12">
      <h1 className="font-extrabold text-3xl">{term ? <>‘{term}’ 검색 결과</> : '상품 검색'}</h1>
      <RecentTerms term={term} />
      {term ? (
        <Results term={term} full={params.get('mode') === 'PRODUCT'} page={Number(params.get('page') ?? 1) || 1} />
      ) : (
        <EmptyState icon={<SearchX />} title="찾을 말을 위 검색창에 넣어 주세요" />
      )}
    </main>
  )
}

function RecentTerms({ term }: { term: string }) {
  const others = recentSearches().filter((known) => known !== term)
  if (others.length === 0) return null
  return (
    <nav aria-label={ko.chrome.recent} className="mt-4 flex flex-wrap items-center gap-2">
      <span className="text-ink-3 text-sm">{ko.chrome.recent}</span>
      {others.map((known) => (
        <Link
          key={known}
          to={hrefOf(known)}
          className="rounded-full border border-line px-3 py-1 text-ink-2 text-sm hover:border-ink hover:text-ink"
        >
          {known}
        </Link>
      ))}
    </nav>
  )
}

function Results({ term, full, page }: { term: string; full: boolean; page: number }) {
  const size = full ? SIZES.PRODUCT : SIZES.summary
  const { data, error, refetch, isPlaceholderData } = useRead<Products>(
    '/api/v1/shop/products',
    { query: { searchValue: term }, headers: paged(full ? page : 1, size) },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading className="mt-10">
        <GridOutline count={size} />
      </Loading>
    )
  const total = data.summary.totalCount
  if (total === 0) return <NothingFound term={term} />
  return (
    <section aria-labelledby="found" className="mt-10">
      <div className="mb-6 flex items-baseline justify-between gap-4">
        <h2 id="found" className="font-bold text-xl" aria-live="polite">
          상품 <span className="figures text-accent">{total.toLocaleString('ko-KR')}</span>
        </h2>
        {!full && total > size && (
          <Link to={hrefOf(term, 'PRODUCT')} className="rounded-xs text-ink-2 text-sm hover:text-ink hover:underline">
            모두 보기
          </Link>
        )}
      </div>
      <ProductGrid products={data.products} level={3} waiting={isPlaceholderData} />
      {full && total > size && (
        <Pagination
          page={page}
          pages={pageCount(total, size)}
          hrefOf={(to) => hrefOf(term, 'PRODUCT', to)}
          className="mt-14"
        />
      )}
    </section>
  )
}

function NothingFound({ term }: { term: string }) {
  return (
    <div aria-live="polite">
      <EmptyState
        icon={<SearchX />}
        title={`‘${term}’에 맞는 내용이 없습니다`}
        text={
          <ul className="mt-2 grid gap-1 text-left">
            {TIPS.map((tip) => (
              <li key={tip}>· {tip}</li>
            ))}
          </ul>
        }
        action={<ButtonLink to="/shop/products">{ko.chrome.allProducts}</ButtonLink>}
      />
    </div>
  )
}
