// One announcement, with links to those beside it.
import { useParams } from 'react-router'
import { toApiError } from '../../../api/errors'
import { useApiQuery } from '../../../api/query'
import { CenterPage } from '../../../features/center/CenterPage'
import { NOTICE_CATEGORIES } from '../../../features/center/categories'
import { useTitle } from '../../../lib/pageContext'
import { Badge } from '../../../ui/Badge'
import { ButtonLink } from '../../../ui/Button'
import { DateText } from '../../../ui/DateText'
import { Link } from '../../../ui/Link'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states'

const NOT_FOUND = 404
const ALL = '/center/notice'

const toAll = (
  <ButtonLink to={ALL} variant="outline">
    목록으로
  </ButtonLink>
)

function Beside({ label, notice }: { label: string; notice: { _id: string; name: string } | null | undefined }) {
  if (!notice) return null
  return (
    <li>
      <Link to={`${ALL}/${notice._id}`} className="flex gap-4 py-3.5 hover:underline">
        <span className="shrink-0 text-ink-3">{label}</span>
        <span className="truncate">{notice.name}</span>
      </Link>
    </li>
  )
}

export function Component() {
  const { notificationId = '' } = useParams()
  const { data, error, refetch } = useApiQuery(
    '/api/v1/center/notifications/{id}',
    { path: { id: notificationId } },
    { retry: false },
  )
  const notice = data?.notification
  useTitle(notice?.name)
  if (!notice) {
    return (
      <CenterPage title="공지사항">
        {error && toApiError(error).status === NOT_FOUND ? (
          <EmptyState title="찾으시는 공지가 없습니다" text="게시 기간이 끝났거나 삭제된 공지입니다." action={toAll} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading className="mt-8 grid gap-3">
            <Skeleton className="h-9 w-2/3" />
            <Skeleton className="h-72" />
          </Loading>
        )}
      </CenterPage>
    )
  }
  return (
    <CenterPage title={notice.name}>
      <article>
        <p className="mt-3 flex items-center gap-3 border-line border-b pb-5 text-ink-3 text-sm">
          <Badge tone={notice.pinned ? 'accent' : 'quiet'}>{NOTICE_CATEGORIES[notice.category]}</Badge>
          <DateText value={notice.createdAt} className="figures" />
        </p>
        <h2 className="sr-only">내용</h2>
        <div
          className="prose-shop py-8"
          // Sanitised by the server.
          dangerouslySetInnerHTML={{ __html: notice.content }}
        />
        {notice.files.length > 0 && (
          <section aria-label="첨부파일" className="mb-8 rounded-lg bg-sunken p-4">
            <p className="mb-1 font-semibold text-sm">첨부파일</p>
            <ul className="grid gap-2">
              {notice.files.map(({ name, url }) => (
                <li key={url}>
                  <a
                    href={url}
                    target="_blank"
                    rel="noopener noreferrer"
                    className="inline-flex min-h-9 items-center gap-2 underline underline-offset-4"
                  >
                    {name || url.split('/').at(-1)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </article>
      <nav aria-label="다른 공지">
        <ul className="divide-y divide-line border-line border-y">
          <Beside label="이전 글" notice={data.newer} />
          <Beside label="다음 글" notice={data.older} />
        </ul>
      </nav>
      <div className="mt-8 flex justify-center">{toAll}</div>
    </CenterPage>
  )
}
