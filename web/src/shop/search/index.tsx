// Search results: a summary of all kinds, or one kind in full, in pages; the state is in the address. Stories do not exist
// yet and are never found, which the page shows.
import { keepPreviousData } from '@tanstack/react-query'
import { ChevronRight, Search as SearchIcon, SearchX } from 'lucide-react'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOAST_ON_ERROR } from '../../api/queryClient'
import { GridOutline, ProductGrid } from '../../features/products/ProductCard'
import { logSearch } from '../../features/search/logTerm'
import { searchWords } from '../../features/search/words'
import { useStores } from '../../features/stores/api'
import { StoreCard } from '../../features/stores/StoreCard'
import { ko } from '../../i18n/ko'
import { grouped } from '../../i18n/number'
import { useTitle } from '../../lib/pageContext'
import { recentSearches, rememberSearch } from '../../lib/recentSearches'
import { Button, ButtonLink } from '../../ui/Button'
import { Input, Select } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, ErrorState, Loading } from '../../ui/states'
import { MODES, type Mode, nothingFound, readSearch, SCOPES, type Search, searchHref, shortOf } from './modes'
import { UserRow } from './UserRow'
import { useUsers } from './useUsers'

const TIPS = [
  '검색어의 철자를 확인해 보세요.',
  '단어 수를 줄이거나 다른 검색어로 찾아보세요.',
  '더 일반적인 검색어로 찾아보세요.',
]

export function Component() {
  const [params] = useSearchParams()
  const search = readSearch(params)
  const { term, mode } = search
  useTitle(term ? `‘${shortOf(term)}’ 검색` : undefined)
  return (
    <main id="content" className="shell py-8 md:py-12">
      <h1 className="font-extrabold text-3xl">{term ? <>‘{shortOf(term)}’ 검색 결과</> : '검색'}</h1>
      {/* A new search resets the form. */}
      <ScopeForm key={`${term}/${mode}`} search={search} />
      <RecentTerms term={term} />
      {term ? <Results search={search} /> : <EmptySearch />}
    </main>
  )
}

/** No search term: links to start from. */
const EmptySearch = () => (
  <EmptyState
    icon={<SearchIcon />}
    title="무엇을 찾으세요?"
    text="상품명이나 브랜드를 입력해 주세요."
    action={
      <div className="flex flex-wrap justify-center gap-2">
        <ButtonLink to="/shop/best">베스트 보기</ButtonLink>
        <ButtonLink to="/shop/products" variant="outline">
          {ko.chrome.allProducts}
        </ButtonLink>
      </div>
    }
  />
)

/** Scope and term of the search; sent only when there is a term and something has changed (spec V161, V162). */
function ScopeForm({ search: { term, mode } }: { search: Search }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(term)
  const [scope, setScope] = useState<Mode | ''>(mode ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const next = typed.trim()
    if (next === '' || (next === term && scope === (mode ?? ''))) return
    rememberSearch(next)
    if (next !== term) void logSearch(next)
    void navigate(searchHref(next, scope))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to older screen readers
    <form role="search" aria-label="검색 범위" onSubmit={send} className="mt-5 flex max-w-2xl gap-2">
      <Select
        aria-label="검색 범위"
        value={scope}
        options={SCOPES}
        onChange={(event) => setScope(event.target.value as Mode | '')}
        className="w-28 shrink-0"
      />
      <Input
        aria-label="검색어"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-0 flex-1"
      />
      <Button type="submit" aria-label={ko.action.search}>
        <SearchIcon aria-hidden />
        <span className="max-xs:hidden">{ko.action.search}</span>
      </Button>
    </form>
  )
}

function RecentTerms({ term }: { term: string }) {
  const others = recentSearches().filter((known) => known !== term)
  if (others.length === 0) return null
  return (
    <nav aria-label={searchWords.recent} className="mt-4 flex flex-wrap items-center gap-2">
      <span className="text-ink-3 text-sm">{searchWords.recent}</span>
      {others.map((known) => (
        <Link
          key={known}
          to={searchHref(known)}
          className="rounded-full border border-line px-3 py-1 text-ink-2 text-sm hover:border-ink hover:text-ink"
        >
          {known}
        </Link>
      ))}
    </nav>
  )
}

function Results({ search: { term, mode, page } }: { search: Search }) {
  const ofProducts = MODES[0]
  const full = mode === 'PRODUCT'
  const size = (full ? ofProducts?.page : ofProducts?.summary) ?? 0
  const products = useApiQuery(
    '/api/v1/shop/products',
    { query: { searchValue: term }, headers: paged(full ? page : 1, size) },
    { placeholderData: keepPreviousData, meta: TOAST_ON_ERROR },
  )
  const ofShops = MODES.find((one) => one.mode === 'MINISHOP')
  const shopSize = (mode === 'MINISHOP' ? ofShops?.page : ofShops?.summary) ?? 0
  const shops = useStores({ searchValue: term }, { page: mode === 'MINISHOP' ? page : 1, size: shopSize })
  const ofUsers = MODES.find((one) => one.mode === 'USER')
  const userSize = (mode === 'USER' ? ofUsers?.page : ofUsers?.summary) ?? 0
  const users = useUsers(term, { page: mode === 'USER' ? page : 1, size: userSize })
  const failed = products.error ?? shops.error ?? users.error
  if (failed && !(products.data && shops.data && users.data)) {
    const again = () => void Promise.all([products.refetch(), shops.refetch(), users.refetch()])
    return <ErrorState error={failed} onRetry={again} />
  }
  if (!products.data || !shops.data || !users.data)
    return (
      <Loading className="mt-10">
        <GridOutline count={size} />
      </Loading>
    )
  const found = {
    PRODUCT: products.data.summary.totalCount,
    MINISHOP: shops.data.summary.totalCount,
    USER: users.data.summary.totalCount,
  }
  // Stories have no pages yet.
  const counts: Record<Mode, number> = { ...found, STORY: 0 }
  const shows = (kind: keyof typeof found) => found[kind] > 0 && (mode === undefined || mode === kind)
  return (
    <>
      <ModeTabs term={term} mode={mode} counts={counts} />
      {nothingFound(counts, mode) ? (
        <NothingFound term={term} mode={mode} />
      ) : (
        <>
          {shows('PRODUCT') && (
            <SearchResults query={products} term={term} mode={mode} kind="PRODUCT" size={size} page={page}>
              {(answer) => <ProductGrid products={answer.products} level={3} />}
            </SearchResults>
          )}
          {shows('MINISHOP') && (
            <SearchResults query={shops} term={term} mode={mode} kind="MINISHOP" size={shopSize} page={page}>
              {(answer) => (
                <ul className="grid grid-cols-1 gap-x-5 gap-y-10 xs:grid-cols-2 md:grid-cols-3">
                  {answer.stores.map((store) => (
                    <li key={store._id}>
                      <StoreCard store={store} look="minishop" level={3} />
                    </li>
                  ))}
                </ul>
              )}
            </SearchResults>
          )}
          {shows('USER') && (
            <SearchResults query={users} term={term} mode={mode} kind="USER" size={userSize} page={page}>
              {(answer) => (
                <ul className="grid grid-cols-1 gap-3 xs:grid-cols-2 md:grid-cols-3 lg:grid-cols-5">
                  {answer.users.map((user) => (
                    <li key={user._id}>
                      <UserRow user={user} />
                    </li>
                  ))}
                </ul>
              )}
            </SearchResults>
          )}
        </>
      )}
    </>
  )
}

type ModeTabsProps = { term: string; mode: Mode | undefined; counts: Readonly<Record<Mode, number>> }

function ModeTabs({ term, mode, counts }: ModeTabsProps) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tabs = [{ mode: undefined, label: '통합' }, ...MODES]
  return (
    <nav aria-label="검색 종류" className="mt-8">
      <ul className="flex gap-6 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <li key={tab.label} className="flex shrink-0">
            <Link
              to={searchHref(term, tab.mode)}
              aria-current={tab.mode === mode}
              className="-mb-px flex h-12 shrink-0 items-center gap-1.5 border-transparent border-b-2 font-medium text-ink-3 hover:text-ink aria-[current=true]:border-ink aria-[current=true]:font-bold aria-[current=true]:text-ink"
            >
              {tab.label}
              <span className="figures text-sm">{grouped(tab.mode ? counts[tab.mode] : all)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type SearchResultsProps<A> = Pick<ComponentProps<typeof PagedList<A & WithSummary>>, 'query' | 'children'> & {
  term: string
  mode: Mode | undefined
  kind: Mode
  size: number
  page: number
}
type WithSummary = { summary: { totalCount: number } }

/** One kind's results: in the summary with a link to all of them, alone with pages. */
function SearchResults<A>({ query, term, mode, kind, size, page, children }: SearchResultsProps<A>) {
  const count = query.data?.summary.totalCount ?? 0
  const label = MODES.find((one) => one.mode === kind)?.label
  return (
    <section aria-labelledby={`found-${kind}`} className="mt-10">
      <div className="mb-6 flex items-baseline justify-between gap-4">
        <h2 id={`found-${kind}`} className="font-bold text-xl" aria-live="polite">
          {label} <span className="figures text-accent">{grouped(count)}</span>
        </h2>
        {!mode && count > size && (
          <Link
            to={searchHref(term, kind)}
            className="tap flex items-center rounded-xs text-ink-2 text-sm hover:text-ink hover:underline"
          >
            모두 보기
            <ChevronRight aria-hidden className="size-4" />
          </Link>
        )}
      </div>
      <PagedList
        query={query}
        page={mode ? page : 1}
        size={mode ? size : Math.max(size, count)}
        hrefOf={(to) => searchHref(term, kind, to)}
        paginationClass="mt-14"
        skeleton={null}
        empty={null}
      >
        {children}
      </PagedList>
    </section>
  )
}

/** No results, with tips (spec V046-V051). */
function NothingFound({ term, mode }: { term: string; mode: Mode | undefined }) {
  const kind = MODES.find((one) => one.mode === mode)?.label
  return (
    <div aria-live="polite">
      <EmptyState
        icon={<SearchX />}
        title={`‘${shortOf(term)}’에 맞는 ${kind ? `${kind} ` : ''}내용이 없습니다`}
        text={
          <ul className="mt-2 grid gap-1 text-left">
            {TIPS.map((tip) => (
              <li key={tip}>· {tip}</li>
            ))}
          </ul>
        }
        action={
          mode ? (
            <ButtonLink to={searchHref(term)} variant="outline">
              통합 검색 보기
            </ButtonLink>
          ) : (
            <ButtonLink to="/shop/products">{ko.chrome.allProducts}</ButtonLink>
          )
        }
      />
    </div>
  )
}
