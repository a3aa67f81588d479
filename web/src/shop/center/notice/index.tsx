// The announcements of the shop: pinned ones first.
import { keepPreviousData } from '@tanstack/react-query'
import { Megaphone, Pin } from 'lucide-react'
import { paged } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import { CenterFilter, useCenterFilter } from '../../../features/center/CenterFilter'
import { CenterPage } from '../../../features/center/CenterPage'
import { categoryOf, NOTICE_CATEGORIES } from '../../../features/center/categories'
import { usePage } from '../../../lib/usePage'
import { Badge } from '../../../ui/Badge'
import { ButtonLink } from '../../../ui/Button'
import { DateText } from '../../../ui/DateText'
import { Link } from '../../../ui/Link'
import { PagedList } from '../../../ui/PagedList'
import { EmptyState, Skeleton } from '../../../ui/states'

const SIZE = 20

export function Component() {
  const { page, hrefOf } = usePage()
  const { category, searchValue } = useCenterFilter()
  const query = { category: categoryOf(NOTICE_CATEGORIES, category), searchValue: searchValue || undefined }
  const notices = useApiQuery(
    '/api/v1/center/notifications',
    { query, headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  return (
    <CenterPage title="공지사항">
      <CenterFilter label="공지사항 검색" categories={NOTICE_CATEGORIES} />
      <PagedList
        query={notices}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-3"
        skeleton={
          <>
            <Skeleton className="h-16 rounded-lg" />
            <Skeleton className="h-16 rounded-lg" />
          </>
        }
        empty={
          query.category || query.searchValue ? (
            <EmptyState
              icon={<Megaphone />}
              title="찾으시는 공지가 없습니다"
              text="다른 말로 검색하거나 분류를 바꿔 보세요."
              action={
                <ButtonLink to="/center/notice" variant="outline">
                  전체 공지 보기
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState
              icon={<Megaphone />}
              title="아직 공지가 없습니다"
              text="새 소식이 생기면 여기에 알려 드립니다."
            />
          )
        }
      >
        {({ notifications }) => (
          <ul className="mt-6 divide-y divide-line border-line border-y">
            {notifications.map(({ _id, name, category, pinned, fileCount, createdAt }) => (
              <li key={_id}>
                <Link to={`/center/notice/${_id}`} className="group flex flex-wrap items-center gap-x-3 gap-y-1 py-4">
                  <Badge tone={pinned ? 'accent' : 'quiet'}>{NOTICE_CATEGORIES[category]}</Badge>
                  <span className="flex min-w-0 flex-1 basis-52 items-center gap-1.5 group-hover:underline">
                    {pinned && <Pin aria-label="고정" className="size-4 shrink-0 text-accent-strong" />}
                    <span className={pinned ? 'truncate font-semibold' : 'truncate'}>{name}</span>
                    {fileCount > 0 && <span className="shrink-0 text-ink-3 text-xs">첨부 {fileCount}</span>}
                  </span>
                  <DateText value={createdAt} className="figures text-ink-3 text-sm" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </CenterPage>
  )
}
