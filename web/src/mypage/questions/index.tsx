// The member's questions to the shop.
import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOPICS } from '../../features/center/categories'
import { QUESTIONS } from '../../features/questions/api'
import { usePage } from '../../lib/usePage'
import { ButtonLink } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { QuestionBadge } from './QuestionBadge'
import { QuestionFrame, useQuestionsPath } from './QuestionFrame'

const SIZE = 20

export function Component() {
  const { page, hrefOf } = usePage()
  const path = useQuestionsPath()
  const questions = useApiQuery(QUESTIONS, { headers: paged(page, SIZE) }, { placeholderData: keepPreviousData })
  const ask = <ButtonLink to={`${path}/create`}>문의하기</ButtonLink>
  const isEmpty = questions.data?.summary.totalCount === 0
  return (
    <QuestionFrame title="1:1 문의" aside={!isEmpty && ask}>
      <PagedList
        query={questions}
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
            title="아직 문의가 없습니다"
            text="주문, 배송, 회원 정보에 대해 궁금한 점을 남겨 주세요. 답변이 등록되면 알려 드립니다."
            action={
              <>
                {ask}
                <ButtonLink to="/center/faq" variant="outline">
                  자주 묻는 질문
                </ButtonLink>
              </>
            }
          />
        }
      >
        {(answer) => (
          <ul className="mt-6 divide-y divide-line border-line border-y">
            {answer.questions.map(({ _id, state, category, subject, createdAt }) => (
              <li key={_id}>
                <Link to={`${path}/${_id}`} className="group flex flex-wrap items-center gap-x-3 gap-y-1 py-4">
                  <QuestionBadge state={state} />
                  <span className="min-w-0 flex-1 basis-52 truncate font-medium group-hover:underline">{subject}</span>
                  <span className="figures text-ink-3 text-sm">
                    {TOPICS[category]} · <DateText value={createdAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </QuestionFrame>
  )
}
