// Writes or edits a question about a product: in a layer or on a page of its own.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { Inquire } from '../../api/types'
import { content, failures, subject } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, Textarea } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { useDirtyReport, useLeaveWarning } from '../forms/unsaved'
import { useForm } from '../forms/useForm'
import { INQUIRES, invalidateInquiries, MAX_CONTENT_LENGTH, MAX_SUBJECT_LENGTH, MY_INQUIRES } from './api'

const RULES = { subject, content }

/** A new one about `product`, or an edit of `known`. */
type InquireFormProps = ({ product: string; known?: undefined } | { product?: undefined; known: Inquire }) & {
  onDone: () => void
  onDirty?: (isDirty: boolean) => void
}

export function InquireForm({ product, known, onDone, onDirty }: InquireFormProps) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { subject: known?.subject ?? '', content: known?.content ?? '', secret: known?.secret ?? false },
    check: (values) => failures(values, RULES),
    send: ({ subject, content, secret }): Promise<unknown> => {
      const body = { subject: subject.trim(), content: content.trim(), secret }
      return known
        ? call('PUT', `${MY_INQUIRES}/{id}`, { path: { id: known._id }, body })
        : call('POST', INQUIRES, { body: { ...body, _product: product } })
    },
    onSent: async () => {
      void toast(known ? '문의를 수정했습니다.' : '문의를 등록했습니다. 답변이 등록되면 알려 드립니다.', {
        tone: 'success',
      })
      await invalidateInquiries(queryClient)
      onDone()
    },
  })
  useDirtyReport(form.isDirty, onDirty)
  // A layer asks before it is closed.
  useLeaveWarning(!onDirty && form.isDirty && !form.isPending)
  return (
    <form {...form.formProps} className="grid gap-5">
      <Field label="제목" required error={form.errors.subject}>
        <Input maxLength={MAX_SUBJECT_LENGTH} placeholder="무엇이 궁금하신가요?" {...form.text('subject')} />
      </Field>
      <Field
        label="문의 내용"
        required
        error={form.errors.content}
        hint="연락처나 주소 같은 개인정보는 입력하지 마세요. 배송·교환·반품은 주문 내역에서 더 빨리 처리됩니다."
      >
        <Textarea rows={6} maxLength={MAX_CONTENT_LENGTH} {...form.text('content')} />
      </Field>
      <Checkbox
        label="비밀글로 문의하기 (나와 판매자, 운영자만 볼 수 있습니다)"
        checked={form.values.secret}
        onChange={(event) => form.set({ secret: event.target.checked })}
      />
      <FormError>{form.errors.form}</FormError>
      <Button type="submit" variant="accent" size="lg" block busy={form.isPending}>
        {known ? '문의 수정' : '문의 등록'}
      </Button>
    </form>
  )
}
