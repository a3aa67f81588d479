// Writes a question to the shop, or edits one that is not answered yet.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { call } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import { Attachments } from '../../../features/attachments/Attachments'
import { MAX_ATTACHMENTS, UPLOADING } from '../../../features/attachments/api'
import { categoryOf, TOPICS } from '../../../features/center/categories'
import { useLeaveWarning } from '../../../features/forms/unsaved'
import { useForm } from '../../../features/forms/useForm'
import {
  invalidateQuestions,
  MAX_CONTENT_LENGTH,
  MAX_SUBJECT_LENGTH,
  QUESTIONS,
  type Question,
} from '../../../features/questions/api'
import { content, failures, subject } from '../../../lib/validators'
import { Button, ButtonLink } from '../../../ui/Button'
import { Field, Fieldset } from '../../../ui/Field'
import { FormError } from '../../../ui/FormError'
import { Input, Select, Textarea } from '../../../ui/Input'
import { LoadError } from '../../../ui/LoadError'
import { Notice } from '../../../ui/Notice'
import { Loading, Skeleton } from '../../../ui/states'
import { toast } from '../../../ui/toast'
import { QuestionFrame, useQuestionsPath } from '../QuestionFrame'

const RULES = { subject, content }
const OPTIONS = Object.entries(TOPICS).map(([value, label]) => ({ value, label }))

function QuestionForm({ known }: { known?: Question }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const path = useQuestionsPath()
  const [uploads, setUploads] = useState(0)
  const form = useForm({
    initial: {
      category: known?.category ?? '',
      subject: known?.subject ?? '',
      content: known?.content ?? '',
      files: known?.files ?? [],
    },
    check: (values) => ({
      ...failures(values, RULES),
      ...(categoryOf(TOPICS, values.category) ? {} : { category: '문의 분류를 선택해 주세요.' }),
      ...(uploads > 0 ? { files: UPLOADING } : {}),
    }),
    send: ({ category, subject, content, files }) => {
      const body = {
        category: categoryOf(TOPICS, category) ?? 'OTHER',
        subject: subject.trim(),
        content: content.trim(),
        files: files.map(({ _id }) => _id),
      }
      return known
        ? call('PUT', `${QUESTIONS}/{id}`, { path: { id: known._id }, body })
        : call('POST', QUESTIONS, { body })
    },
    onSent: async ({ question }) => {
      void toast(known ? '문의를 수정했습니다.' : '문의를 등록했습니다. 답변이 등록되면 알려 드립니다.', {
        tone: 'success',
      })
      await invalidateQuestions(queryClient)
      void navigate(`${path}/${question._id}`, { replace: true })
    },
  })
  useLeaveWarning(form.isDirty && !form.isPending)
  const { files } = form.values
  return (
    <form {...form.formProps} className="mt-6 grid max-w-2xl gap-5">
      <Field label="분류" required error={form.errors.category}>
        <Select options={OPTIONS} placeholder="무엇에 대한 문의인가요?" {...form.text('category')} />
      </Field>
      <Field label="제목" required error={form.errors.subject}>
        <Input maxLength={MAX_SUBJECT_LENGTH} {...form.text('subject')} />
      </Field>
      <Field
        label="문의 내용"
        required
        error={form.errors.content}
        hint="나와 담당자만 볼 수 있습니다. 주문번호를 적어 주시면 더 빨리 확인할 수 있습니다."
      >
        <Textarea rows={8} maxLength={MAX_CONTENT_LENGTH} {...form.text('content')} />
      </Field>
      <Fieldset legend={`첨부파일 (${files.length}/${MAX_ATTACHMENTS})`} error={form.errors.files}>
        <Attachments
          files={files}
          addLabel="파일 추가"
          onChange={(change) => form.set((now) => ({ files: change(now.files) }))}
          onUploading={(change) => setUploads((now) => now + change)}
        />
      </Fieldset>
      <FormError>{form.errors.form}</FormError>
      <Button type="submit" variant="accent" size="lg" block busy={form.isPending}>
        {known ? '문의 수정' : '문의 등록'}
      </Button>
    </form>
  )
}

function EditedQuestion({ id }: { id: string }) {
  const path = useQuestionsPath()
  const { data, error, refetch } = useApiQuery(`${QUESTIONS}/{id}`, { path: { id } }, { retry: false })
  const question = data?.question
  if (!question) {
    return error ? (
      <LoadError
        error={error}
        onRetry={() => void refetch()}
        title="찾으시는 문의가 없습니다"
        action={<ButtonLink to={path}>목록으로</ButtonLink>}
      />
    ) : (
      <Loading className="mt-6">
        <Skeleton className="h-64 rounded-lg" />
      </Loading>
    )
  }
  if (question.state === 'ANSWER_COMPLETE' || question.removed) {
    return (
      <div className="mt-6 grid justify-items-start gap-4">
        <Notice tone="info">답변이 등록되었거나 삭제한 문의는 수정할 수 없습니다.</Notice>
        <ButtonLink to={path} variant="outline">
          내 문의로
        </ButtonLink>
      </div>
    )
  }
  return <QuestionForm known={question} />
}

export function Component() {
  const { questionId } = useParams()
  return (
    <QuestionFrame title={questionId ? '문의 수정' : '1:1 문의하기'}>
      {questionId ? <EditedQuestion id={questionId} /> : <QuestionForm />}
    </QuestionFrame>
  )
}
