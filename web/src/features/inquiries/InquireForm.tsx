// Asking about a product, or asking in other words: in a layer or on a page of its own.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import type { Inquire } from '../../api/types'
import { content, failures, subject } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Input, Textarea } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { INQUIRES, invalidateInquiries, MAX_CONTENT_LENGTH, MAX_SUBJECT_LENGTH, MY_INQUIRES } from './api'

const RULES = { subject, content }

/** About `product`, or `known` in other words. */
type InquireFormProps = ({ product: string; known?: undefined } | { product?: undefined; known: Inquire }) & {
  onDone: () => void
}

export function InquireForm({ product, known, onDone }: InquireFormProps) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState({ subject: known?.subject ?? '', content: known?.content ?? '' })
  const [secret, setSecret] = useState(known?.secret ?? false)
  const [wrong, setWrong] = useState<Record<string, string | undefined>>({})
  const save = useMutation({
    meta: { suppressToast: true },
    mutationFn: () => {
      const body = { subject: typed.subject.trim(), content: typed.content.trim(), secret }
      return known
        ? call('PUT', `${MY_INQUIRES}/{id}`, { path: { id: known._id }, body })
        : call('POST', INQUIRES, { body: { ...body, _product: product } })
    },
    onSuccess: async () => {
      void toast(known ? '문의를 수정했습니다.' : '문의를 등록했습니다. 답변이 등록되면 알려 드립니다.', {
        tone: 'success',
      })
      await invalidateInquiries(queryClient)
      onDone()
    },
    onError: (thrown) => {
      setWrong(toApiError(thrown).onForm(['subject', 'content']))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = failures(typed, RULES)
    setWrong(found)
    if (Object.keys(found).length === 0) save.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="제목" required error={wrong.subject}>
        <Input
          value={typed.subject}
          maxLength={MAX_SUBJECT_LENGTH}
          placeholder="무엇이 궁금하신가요?"
          onChange={(event) => setTyped({ ...typed, subject: event.target.value })}
        />
      </Field>
      <Field
        label="문의 내용"
        required
        error={wrong.content}
        hint="연락처나 주소 같은 개인정보는 입력하지 마세요. 배송·교환·반품은 주문 내역에서 더 빨리 처리됩니다."
      >
        <Textarea
          rows={6}
          value={typed.content}
          maxLength={MAX_CONTENT_LENGTH}
          onChange={(event) => setTyped({ ...typed, content: event.target.value })}
        />
      </Field>
      <Checkbox
        label="비밀글로 문의하기 (나와 판매자, 운영자만 볼 수 있습니다)"
        checked={secret}
        onChange={(event) => setSecret(event.target.checked)}
      />
      {wrong.form && (
        <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
          {wrong.form}
        </p>
      )}
      <Button type="submit" variant="accent" size="lg" block busy={save.isPending}>
        {known ? '문의 수정' : '문의 등록'}
      </Button>
    </form>
  )
}
