// All stores: nearest first if the visitor shares their position, searchable by name. The state is in the address.
import { LocateFixed, Search, Store as StoreIcon } from 'lucide-react'
import type { FormEvent } from 'react'
import { useSearchParams } from 'react-router'
import { useStores } from '../../features/stores/api'
import { StoreCard, StoreOutline } from '../../features/stores/StoreCard'
import { useGeolocation } from '../../features/stores/useGeolocation'
import { ko } from '../../i18n/ko'
import { grouped } from '../../i18n/number'
import { pageIn } from '../../lib/usePage'
import { Button, ButtonLink } from '../../ui/Button'
import { Input } from '../../ui/Input'
import { PagedList } from '../../ui/PagedList'
import { PageTitle } from '../../ui/Section'
import { EmptyState } from '../../ui/states'

const SIZE = 12
const GRID = 'mt-8 grid grid-cols-1 gap-x-6 gap-y-10 xs:grid-cols-2 md:grid-cols-4'

const hrefOf = (term: string, page = 1): string => {
  const params = new URLSearchParams()
  if (term) params.set('searchValue', term)
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `/sub/store?${params}` : '/sub/store'
}

export function Component() {
  const [params, setParams] = useSearchParams()
  const term = params.get('searchValue')?.trim() ?? ''
  const page = pageIn(params)
  const { place, asking, ask } = useGeolocation()
  const near = place && { near: `${place.latitude},${place.longitude}`, sort: 'distance' as const }
  const stores = useStores({ ...near, searchValue: term || undefined }, { page, size: SIZE })
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('searchValue')).trim()
    if (typed !== term) setParams(typed ? { searchValue: typed } : {})
  }
  const total = stores.data?.summary.totalCount ?? 0
  return (
    <main id="content" className="shell py-8 md:py-12">
      <PageTitle lead="직접 보고 타 본 뒤 선택하세요. 매장별 판매 상품도 확인할 수 있습니다.">매장</PageTitle>
      <div className="mt-6 flex flex-wrap gap-2">
        {/* biome-ignore lint/a11y/useSemanticElements: <search> is unknown to older screen readers */}
        <form
          key={term}
          role="search"
          aria-label="매장 찾기"
          onSubmit={search}
          className="flex min-w-0 flex-1 gap-2 max-xs:basis-full md:max-w-md"
        >
          <Input
            aria-label="매장이나 판매자 이름"
            name="searchValue"
            defaultValue={term}
            placeholder="매장이나 판매자 이름"
          />
          <Button type="submit" aria-label={ko.action.search}>
            <Search aria-hidden />
            <span className="max-sm:hidden">{ko.action.search}</span>
          </Button>
        </form>
        {!place && (
          <Button variant="outline" busy={asking} onClick={ask}>
            <LocateFixed aria-hidden />
            가까운 순으로
          </Button>
        )}
      </div>
      <p className="mt-4 text-ink-2" aria-live="polite">
        {total > 0 && `매장 ${grouped(total)}곳`}
      </p>
      <PagedList
        query={stores}
        page={page}
        size={SIZE}
        hrefOf={(to) => hrefOf(term, to)}
        paginationClass="mt-14"
        skeletonClass={GRID}
        skeleton={<StoreOutline count={4} />}
        empty={
          <EmptyState
            icon={<StoreIcon />}
            title={term ? `‘${term}’에 맞는 매장이 없습니다` : '아직 매장이 없습니다'}
            text={term ? '이름의 일부로 다시 찾아보세요.' : '곧 문을 엽니다.'}
            action={term ? <ButtonLink to="/sub/store">모든 매장 보기</ButtonLink> : undefined}
          />
        }
      >
        {(answer) => (
          <ul className={GRID}>
            {answer.stores.map((store) => (
              <li key={store._id}>
                <StoreCard store={store} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </main>
  )
}
