// One question of the member with its answer: the target of the notification about it.
import { useNavigate, useParams } from 'react-router'
import { call } from '../../../api/client'
import { toApiError } from '../../../api/errors'
import { useApiQuery } from '../../../api/query'
import { AttachmentLinks } from '../../../features/attachments/AttachmentLinks'
import { TOPICS } from '../../../features/center/categories'
import { invalidateQuestions, QUESTIONS } from '../../../features/questions/api'
import { Button, ButtonLink } from '../../../ui/Button'
import { DateText } from '../../../ui/DateText'
import { Notice } from '../../../ui/Notice'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states'
import { useUndoableRemoval } from '../../useDeleteWithUndo'
import { QuestionBadge } from '../QuestionBadge'
import { QuestionFrame, useQuestionsPath } from '../QuestionFrame'

const NOT_FOUND = 404

export function Component() {
  const { questionId = '' } = useParams()
  const navigate = useNavigate()
  const path = useQuestionsPath()
  const { data, error, refetch } = useApiQuery(`${QUESTIONS}/{id}`, { path: { id: questionId } }, { retry: false })
  const remove = useUndoableRemoval<string>({
    remove: (id) => call('DELETE', `${QUESTIONS}/{id}`, { path: { id } }),
    restore: (id) => call('POST', `${QUESTIONS}/{id}/restore`, { path: { id } }),
    said: { removed: '문의를 삭제했습니다.', restored: '문의를 복원했습니다.' },
    changed: invalidateQuestions,
  })
  const question = data?.question
  const toAll = (
    <ButtonLink to={path} variant="outline" size="sm">
      목록으로
    </ButtonLink>
  )
  return (
    <QuestionFrame title="1:1 문의">
      {error && !question ? (
        toApiError(error).status === NOT_FOUND ? (
          <EmptyState title="찾으시는 문의가 없습니다" action={toAll} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : !question ? (
        <Loading className="mt-6">
          <Skeleton className="h-64 rounded-lg" />
        </Loading>
      ) : question.removed ? (
        <div className="mt-6 grid justify-items-start gap-4">
          <Notice tone="info">삭제한 문의입니다.</Notice>
          {toAll}
        </div>
      ) : (
        <article className="mt-6 max-w-2xl">
          <p className="flex flex-wrap items-center gap-2 text-ink-3 text-sm">
            <QuestionBadge state={question.state} />
            {TOPICS[question.category]}
            <DateText value={question.createdAt} className="figures" />
          </p>
          <h2 className="mt-3 mb-4 break-words font-bold text-xl">{question.subject}</h2>
          <div className="grid gap-4">
            <p className="whitespace-pre-line break-words">{question.content}</p>
            <AttachmentLinks files={question.files} />
            {question.reply ? (
              <section aria-label="답변" className="rounded-lg bg-sunken p-4">
                <p className="flex items-center gap-2 font-semibold text-sm">
                  답변
                  {question.repliedAt && (
                    <DateText value={question.repliedAt} className="figures font-normal text-ink-3" />
                  )}
                </p>
                <p className="mt-1 whitespace-pre-line break-words text-ink-2">{question.reply}</p>
              </section>
            ) : (
              <p className="text-ink-3 text-sm">담당자가 답변을 준비하고 있습니다.</p>
            )}
          </div>
          <div className="mt-6 flex flex-wrap gap-2">
            {toAll}
            {question.state === 'ANSWER_AWAITING' && (
              <ButtonLink to={`${path}/create/${question._id}`} variant="outline" size="sm">
                수정
              </ButtonLink>
            )}
            <Button
              variant="ghost"
              size="sm"
              busy={remove.isPending}
              onClick={() => remove.mutate(question._id, { onSuccess: () => void navigate(path, { replace: true }) })}
            >
              삭제
            </Button>
          </div>
        </article>
      )}
    </QuestionFrame>
  )
}
