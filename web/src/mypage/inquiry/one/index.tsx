// What the member sent with a form, and the answer: the target of the notification about it. Until it is answered it can be changed.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { call } from '../../../api/client'
import { toApiError } from '../../../api/errors'
import { invalidator, useApiQuery } from '../../../api/query'
import type { components } from '../../../api/schema.gen'
import { UPLOADING } from '../../../features/attachments/api'
import { useLeaveWarning } from '../../../features/forms/unsaved'
import { useForm } from '../../../features/forms/useForm'
import { answersFrom, faultsOf, pathOf, toSend } from '../../../features/inquiryForms/answers'
import { FormFields } from '../../../features/inquiryForms/FormFields'
import { Sent } from '../../../features/inquiryForms/Sent'
import { Button, ButtonLink } from '../../../ui/Button'
import { confirmDialog } from '../../../ui/confirm'
import { DateText } from '../../../ui/DateText'
import { FormError } from '../../../ui/FormError'
import { Notice } from '../../../ui/Notice'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states'
import { toast } from '../../../ui/toast'
import { MyPage } from '../../MyPage'
import { QuestionBadge } from '../../questions/QuestionBadge'

const NOT_FOUND = 404
const LIST = '/api/v1/me/inquiries'
const ONE = '/api/v1/me/inquiries/{id}'
const changed = invalidator([LIST, ONE])

type Inquiry = components['schemas']['InquiryView']

const toAll = (
  <ButtonLink to="/mypage/inquiry" variant="outline" size="sm">
    목록으로
  </ButtonLink>
)

function Edited({ inquiry, onDone }: { inquiry: Inquiry; onDone: () => void }) {
  const queryClient = useQueryClient()
  const { fields } = inquiry
  const [uploads, setUploads] = useState(0)
  const form = useForm({
    initial: () => ({ answers: answersFrom(fields, inquiry.values, inquiry.files) }),
    fields: [...fields.map(pathOf), 'answers'],
    check: ({ answers }) => ({ ...faultsOf(fields, answers), ...(uploads > 0 ? { answers: UPLOADING } : {}) }),
    send: ({ answers }) => call('PUT', ONE, { path: { id: inquiry._id }, body: { answers: toSend(fields, answers) } }),
    onSent: async () => {
      void toast('수정했습니다.', { tone: 'success' })
      await changed(queryClient)
      onDone()
    },
  })
  useLeaveWarning(form.isDirty && !form.isPending)
  return (
    <form {...form.formProps} className="mt-6 grid max-w-2xl gap-5">
      <FormFields
        fields={fields}
        answers={form.values.answers}
        errors={form.errors}
        onChange={(change) => form.set(({ answers }) => ({ answers: change(answers) }))}
        onUploading={(change) => setUploads((now) => now + change)}
      />
      <FormError>{form.errors.form ?? form.errors.answers}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="accent" busy={form.isPending}>
          수정
        </Button>
        <Button variant="outline" onClick={onDone}>
          취소
        </Button>
      </div>
    </form>
  )
}

function Shown({ inquiry }: { inquiry: Inquiry }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isEdited, setEdited] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  if (inquiry.removed) {
    return (
      <div className="mt-6 grid justify-items-start gap-4">
        <Notice tone="info">삭제한 문의입니다.</Notice>
        {toAll}
      </div>
    )
  }
  if (isEdited) return <Edited inquiry={inquiry} onDone={() => setEdited(false)} />
  const remove = async () => {
    const sure = await confirmDialog({
      title: '이 문의를 삭제할까요?',
      text: '삭제하면 보낸 내용과 답변이 파기되어 되돌릴 수 없습니다.',
      yes: '삭제',
      danger: true,
    })
    if (!sure) return
    setRemoving(true)
    try {
      await call('DELETE', ONE, { path: { id: inquiry._id } })
      void toast('문의를 삭제했습니다.', { tone: 'success' })
      await changed(queryClient)
      void navigate('/mypage/inquiry', { replace: true })
    } catch (thrown) {
      setRemoving(false)
      void toast(toApiError(thrown).told, { tone: 'error' })
    }
  }
  return (
    <article className="mt-6 max-w-2xl">
      <p className="flex flex-wrap items-center gap-2 text-ink-3 text-sm">
        <QuestionBadge state={inquiry.state} />
        <DateText value={inquiry.createdAt} className="figures" />
      </p>
      <h2 className="mt-3 mb-4 break-words font-bold text-xl">{inquiry.formName}</h2>
      <div className="grid gap-4">
        <Sent answers={inquiry.answers} files={inquiry.files} />
        {inquiry.reply ? (
          <section aria-label="답변" className="rounded-lg bg-sunken p-4">
            <p className="flex items-center gap-2 font-semibold text-sm">
              답변
              {inquiry.repliedAt && <DateText value={inquiry.repliedAt} className="figures font-normal text-ink-3" />}
            </p>
            <p className="mt-1 whitespace-pre-line break-words text-ink-2">{inquiry.reply}</p>
          </section>
        ) : (
          <p className="text-ink-3 text-sm">담당자가 답변을 준비하고 있습니다.</p>
        )}
      </div>
      <div className="mt-6 flex flex-wrap gap-2">
        {toAll}
        {inquiry.state === 'ANSWER_AWAITING' && (
          <Button variant="outline" size="sm" onClick={() => setEdited(true)}>
            수정
          </Button>
        )}
        <Button variant="ghost" size="sm" busy={isRemoving} onClick={() => void remove()}>
          삭제
        </Button>
      </div>
    </article>
  )
}

export function Component() {
  const { sentId = '' } = useParams()
  const { data, error, refetch } = useApiQuery(ONE, { path: { id: sentId } }, { retry: false })
  const inquiry = data?.inquiry
  return (
    <MyPage title="양식 문의">
      {inquiry ? (
        <Shown inquiry={inquiry} />
      ) : error && toApiError(error).status === NOT_FOUND ? (
        <EmptyState title="찾으시는 문의가 없습니다" action={toAll} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading className="mt-6">
          <Skeleton className="h-64 rounded-lg" />
        </Loading>
      )}
    </MyPage>
  )
}
