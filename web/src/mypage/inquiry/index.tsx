// What the member sent with forms.
import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { usePage } from '../../lib/usePage'
import { ButtonLink } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { QuestionBadge } from '../questions/QuestionBadge'

const SIZE = 20

export function Component() {
  const { page, hrefOf } = usePage()
  const sent = useApiQuery(
    '/api/v1/me/inquiries',
    { headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  return (
    <MyPage title="양식 문의">
      <PagedList
        query={sent}
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
          <EmptyState
            title="보낸 양식이 없습니다"
            text="입점 문의처럼 양식으로 보낸 내용과 답변이 여기에 모입니다."
            action={
              <ButtonLink to="/form/inquiry-partner" variant="outline">
                입점·제휴 문의하기
              </ButtonLink>
            }
          />
        }
      >
        {(answer) => (
          <ul className="mt-6 divide-y divide-line border-line border-y">
            {answer.inquiries.map(({ _id, state, formName, subject, createdAt }) => (
              <li key={_id}>
                <Link to={`/mypage/inquiry/${_id}`} className="group flex flex-wrap items-center gap-x-3 gap-y-1 py-4">
                  <QuestionBadge state={state} />
                  <span className="min-w-0 flex-1 basis-52 truncate font-medium group-hover:underline">{subject}</span>
                  <span className="figures text-ink-3 text-sm">
                    {formName} · <DateText value={createdAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </MyPage>
  )
}
