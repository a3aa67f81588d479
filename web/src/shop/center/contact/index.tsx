// Writing to the shop, with or without an account; the answer comes by mail.
import { useState } from 'react'
import { call } from '../../../api/client'
import { CenterPage } from '../../../features/center/CenterPage'
import { CONTACT_TOPICS, categoryOf } from '../../../features/center/categories'
import { guestPass } from '../../../features/center/guestPass'
import { useLeaveWarning } from '../../../features/forms/unsaved'
import { useForm } from '../../../features/forms/useForm'
import { MAX_CONTENT_LENGTH, MAX_SUBJECT_LENGTH } from '../../../features/questions/api'
import { digits } from '../../../lib/phone'
import { content, email, failures, LINE_MOST, name, phone, subject } from '../../../lib/validators'
import { Button, ButtonLink } from '../../../ui/Button'
import { Checkbox } from '../../../ui/Checkbox'
import { Field, Fieldset } from '../../../ui/Field'
import { FormError } from '../../../ui/FormError'
import { Input, Select, Textarea } from '../../../ui/Input'
import { Link } from '../../../ui/Link'
import { Notice } from '../../../ui/Notice'

const RULES = { name, subject, content }
const OPTIONS = Object.entries(CONTACT_TOPICS).map(([value, label]) => ({ value, label }))
const EMPTY = { category: '', name: '', company: '', email: '', phone: '', subject: '', content: '', agreed: false }

function ContactForm({ onSent }: { onSent: (address: string) => void }) {
  const form = useForm({
    initial: EMPTY,
    check: (values) => ({
      ...(categoryOf(CONTACT_TOPICS, values.category) ? {} : { category: '문의 분류를 선택해 주세요.' }),
      ...failures(values, RULES),
      ...(values.email.trim() || values.phone.trim()
        ? {
            email: values.email.trim() ? email(values.email.trim()) : undefined,
            phone: values.phone.trim() ? phone(values.phone) : undefined,
          }
        : { email: '답변을 받을 이메일이나 휴대폰 번호를 입력해 주세요.' }),
      ...(values.agreed ? {} : { agreed: '개인정보 수집·이용에 동의해 주세요.' }),
    }),
    send: async ({ category, ...values }) => {
      const email = values.email.trim()
      await call('POST', '/api/v1/center/contacts', {
        body: {
          ...values,
          category: categoryOf(CONTACT_TOPICS, category) ?? 'OTHER',
          email,
          phone: digits(values.phone),
          recaptcha: await guestPass('contact'),
        },
      })
      return email
    },
    onSent,
  })
  useLeaveWarning(form.isDirty && !form.isPending)
  return (
    <form {...form.formProps} className="mt-6 grid max-w-2xl gap-5">
      <Field label="분류" required error={form.errors.category}>
        <Select options={OPTIONS} placeholder="무엇에 대한 문의인가요?" {...form.text('category')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="이름" required error={form.errors.name}>
          <Input autoComplete="name" maxLength={LINE_MOST} {...form.text('name')} />
        </Field>
        <Field label="회사" error={form.errors.company}>
          <Input autoComplete="organization" maxLength={LINE_MOST} {...form.text('company')} />
        </Field>
        <Field label="이메일" error={form.errors.email} hint="답변을 이 주소로 보내 드립니다.">
          <Input type="email" autoComplete="email" maxLength={LINE_MOST} {...form.text('email')} />
        </Field>
        <Field label="휴대폰 번호" error={form.errors.phone} hint="이메일이 없으면 전화로 답변드립니다.">
          <Input type="tel" autoComplete="tel" maxLength={LINE_MOST} {...form.text('phone')} />
        </Field>
      </div>
      <Field label="제목" required error={form.errors.subject}>
        <Input maxLength={MAX_SUBJECT_LENGTH} {...form.text('subject')} />
      </Field>
      <Field label="문의 내용" required error={form.errors.content}>
        <Textarea rows={8} maxLength={MAX_CONTENT_LENGTH} {...form.text('content')} />
      </Field>
      <Fieldset legend="개인정보 수집·이용 동의" error={form.errors.agreed}>
        <p className="mb-2 text-ink-2 text-sm">
          이름, 회사, 이메일, 휴대폰 번호, 문의 내용을 답변을 위해 수집하고 3년 동안 보관한 뒤 파기합니다. 동의하지 않을
          수 있으며, 이때는 문의를 남길 수 없습니다.
        </p>
        <Checkbox
          label="개인정보 수집·이용에 동의합니다 (필수)"
          checked={form.values.agreed}
          onChange={(event) => form.set({ agreed: event.target.checked })}
        />
      </Fieldset>
      <FormError>{form.errors.form}</FormError>
      <Button type="submit" variant="accent" size="lg" block busy={form.isPending}>
        문의 보내기
      </Button>
    </form>
  )
}

export function Component() {
  const [address, setAddress] = useState<string>()
  return (
    <CenterPage title="제휴·문의">
      {address === undefined ? (
        <>
          <p className="mt-3 text-ink-2">
            제휴, 입점, 대량 구매에 대해 알려 주세요. 주문에 대한 문의는{' '}
            <Link to="/center/questions" className="underline underline-offset-2">
              1:1 문의
            </Link>
            에 남겨 주시면 더 빨리 확인할 수 있습니다. 입점을 제안하려면{' '}
            <Link to="/form/inquiry-partner" className="underline underline-offset-2">
              입점·제휴 양식
            </Link>
            을 이용해 주세요.
          </p>
          <ContactForm onSent={setAddress} />
        </>
      ) : (
        <div className="mt-6 grid justify-items-start gap-4">
          <Notice tone="good">
            문의를 보냈습니다. {address ? `답변은 ${address} 주소로 보내 드립니다.` : '남겨 주신 번호로 연락드립니다.'}
          </Notice>
          <ButtonLink to="/center/faq" variant="outline">
            자주 묻는 질문 보기
          </ButtonLink>
        </div>
      )}
    </CenterPage>
  )
}
