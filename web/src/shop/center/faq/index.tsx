// The frequently asked questions, by category and by text; `?id=` opens one.
import { keepPreviousData } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { paged } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import { CenterFilter, useCenterFilter } from '../../../features/center/CenterFilter'
import { CenterPage } from '../../../features/center/CenterPage'
import { categoryOf, TOPICS } from '../../../features/center/categories'
import { routeExists } from '../../../lib/routeRegistry'
import { usePage } from '../../../lib/usePage'
import { Accordion } from '../../../ui/Accordion'
import { ButtonLink } from '../../../ui/Button'
import { PagedList } from '../../../ui/PagedList'
import { EmptyState, Skeleton } from '../../../ui/states'

const SIZE = 50
const ASK = '/center/questions/create'

export function Component() {
  const { page, hrefOf } = usePage()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const linked = params.get('id')
  const { category, searchValue } = useCenterFilter()
  const query = { category: categoryOf(TOPICS, category), searchValue: searchValue || undefined }
  const faqs = useApiQuery(
    '/api/v1/center/faqs',
    { query, headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  const list = useRef<HTMLDivElement>(null)
  const isLoaded = faqs.data !== undefined
  useEffect(() => {
    if (linked && isLoaded) list.current?.querySelector('details[open]')?.scrollIntoView({ block: 'center' })
  }, [linked, isLoaded])
  const ask = routeExists(ASK) && <ButtonLink to={ASK}>1:1 문의하기</ButtonLink>
  return (
    <CenterPage title="자주 묻는 질문">
      <CenterFilter label="질문 검색" categories={TOPICS} />
      <PagedList
        query={faqs}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-3"
        skeleton={
          <>
            <Skeleton className="h-14 rounded-lg" />
            <Skeleton className="h-14 rounded-lg" />
            <Skeleton className="h-14 rounded-lg" />
          </>
        }
        empty={
          query.category || query.searchValue ? (
            <EmptyState
              icon={<Megaphone />}
              title="찾으시는 질문이 없습니다"
              text="다른 말로 검색하거나 분류를 바꿔 보세요."
              action={
                <>
                  <ButtonLink to={pathname} variant="outline">
                    전체 질문 보기
                  </ButtonLink>
                  {ask}
                </>
              }
            />
          ) : (
            <EmptyState icon={<Megaphone />} title="아직 등록된 질문이 없습니다" action={ask} />
          )
        }
      >
        {({ faqs: found }) => (
          <div ref={list}>
            <Accordion
              className="mt-6"
              folds={found.map(({ _id, category, query, reply }) => ({
                key: _id,
                open: _id === linked,
                title: (
                  <span className="flex min-w-0 flex-col gap-0.5 sm:flex-row sm:items-baseline sm:gap-4">
                    <span className="w-28 shrink-0 font-normal text-ink-3 text-sm">{TOPICS[category]}</span>
                    <span>{query}</span>
                  </span>
                ),
                // Sanitised by the server.
                content: <div className="prose-shop sm:pl-32" dangerouslySetInnerHTML={{ __html: reply }} />,
              }))}
            />
            {ask && (
              <div className="mt-10 flex flex-wrap items-center justify-between gap-4 rounded-lg bg-sunken p-5">
                <p>
                  <strong className="block">찾는 답이 없으신가요?</strong>
                  <span className="text-ink-2 text-sm">문의를 남겨 주시면 답변이 등록될 때 알려 드립니다.</span>
                </p>
                {ask}
              </div>
            )}
          </div>
        )}
      </PagedList>
    </CenterPage>
  )
}
