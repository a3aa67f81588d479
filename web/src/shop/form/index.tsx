// A form that staff put together, filled in by guests and members. Guests are answered by mail, members in the member area.
import { useState } from 'react'
import { useParams } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useSession } from '../../api/session'
import { UPLOADING } from '../../features/attachments/api'
import { CenterPage } from '../../features/center/CenterPage'
import { guestPass } from '../../features/center/guestPass'
import { useLeaveWarning } from '../../features/forms/unsaved'
import { useForm } from '../../features/forms/useForm'
import { type Answers, faultsOf, pathOf, toSend } from '../../features/inquiryForms/answers'
import { FormFields } from '../../features/inquiryForms/FormFields'
import { useTitle } from '../../lib/pageContext'
import { digits } from '../../lib/phone'
import { email, LINE_MOST, name, phone } from '../../lib/validators'
import { Button, ButtonLink } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Field, Fieldset } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PhoneInput } from '../../ui/Input'
import { Notice } from '../../ui/Notice'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'

const NOT_FOUND = 404
const PARTNER = 'inquiry-partner'
const CHANGED = '작성하는 동안 양식이 바뀌어 새 양식을 불러왔습니다. 내용을 확인한 뒤 다시 보내 주세요.'

type FormView = components['schemas']['FormView']
type Values = { name: string; email: string; phone: string; answers: Answers; agreed: boolean }

const EMPTY: Values = { name: '', email: '', phone: '', answers: {}, agreed: false }

const guestFaults = (values: Values) => ({
  name: name(values.name),
  ...(values.email.trim() || values.phone.trim()
    ? {
        email: values.email.trim() ? email(values.email.trim()) : undefined,
        phone: values.phone.trim() ? phone(values.phone) : undefined,
      }
    : { email: '답변을 받을 이메일이나 휴대폰 번호를 입력해 주세요.' }),
})

type FilledProps = { form: FormView; isGuest: boolean; onSent: (address: string) => void; onChanged: () => void }

function FilledForm({ form: shown, isGuest, onSent, onChanged }: FilledProps) {
  const { fields } = shown
  const [uploads, setUploads] = useState(0)
  const form = useForm({
    initial: EMPTY,
    fields: [...fields.map(pathOf), 'answers', 'name', 'email', 'phone', 'agreed'],
    check: (values) => ({
      ...(isGuest ? guestFaults(values) : {}),
      ...faultsOf(fields, values.answers),
      ...(values.agreed ? {} : { agreed: '개인정보 수집·이용에 동의해 주세요.' }),
      ...(uploads > 0 ? { answers: UPLOADING } : {}),
    }),
    send: async (values) => {
      const address = isGuest ? values.email.trim() : ''
      await call('POST', '/api/v1/forms', {
        body: {
          _form: shown._id,
          version: shown.version,
          answers: toSend(fields, values.answers),
          agreed: values.agreed,
          name: values.name.trim(),
          email: address,
          phone: digits(values.phone),
          recaptcha: isGuest ? await guestPass('form') : '',
        },
      })
      return address
    },
    refused: (error) => {
      if (error.code !== 'version_conflict') return undefined
      onChanged()
      return { form: CHANGED }
    },
    onSent,
  })
  useLeaveWarning(form.isDirty && !form.isPending)
  return (
    <form {...form.formProps} className="mt-6 grid max-w-2xl gap-5">
      {isGuest && (
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="이름" required error={form.errors.name} className="sm:col-span-2">
            <Input autoComplete="name" maxLength={LINE_MOST} {...form.text('name')} />
          </Field>
          <Field label="이메일" error={form.errors.email} hint="답변을 이 주소로 보내 드립니다.">
            <Input type="email" autoComplete="email" maxLength={LINE_MOST} {...form.text('email')} />
          </Field>
          <Field label="휴대폰 번호" error={form.errors.phone} hint="이메일이 없으면 전화로 답변드립니다.">
            <PhoneInput value={form.values.phone} onValueChange={(typed) => form.set({ phone: typed })} />
          </Field>
        </div>
      )}
      <FormFields
        fields={fields}
        answers={form.values.answers}
        errors={form.errors}
        onChange={(change) => form.set(({ answers }) => ({ answers: change(answers) }))}
        onUploading={(change) => setUploads((now) => now + change)}
      />
      <Fieldset legend="개인정보 수집·이용 동의" required error={form.errors.agreed}>
        <p className="mb-2 text-ink-2 text-sm">
          {isGuest ? '이름, 이메일, 휴대폰 번호와 위에 입력한 내용을' : '위에 입력한 내용을'} 답변을 위해 수집하고 3년
          동안 보관한 뒤 파기합니다. 동의하지 않을 수 있으며, 이때는 보낼 수 없습니다.
        </p>
        <Checkbox
          label="개인정보 수집·이용에 동의합니다 (필수)"
          checked={form.values.agreed}
          onChange={(event) => form.set({ agreed: event.target.checked })}
        />
      </Fieldset>
      <FormError>{form.errors.form ?? form.errors.answers}</FormError>
      <Button type="submit" variant="accent" size="lg" block busy={form.isPending}>
        보내기
      </Button>
    </form>
  )
}

function Done({ text, address, isGuest }: { text: string; address: string; isGuest: boolean }) {
  const answered = isGuest
    ? address
      ? `답변은 ${address} 주소로 보내 드립니다.`
      : '남겨 주신 번호로 연락드립니다.'
    : '답변이 등록되면 알려 드립니다.'
  return (
    <div className="mt-6 grid justify-items-start gap-4">
      <Notice tone="good">
        <span className="whitespace-pre-line">{text || '보내 주셔서 감사합니다.'}</span> {answered}
      </Notice>
      {isGuest ? (
        <ButtonLink to="/center/faq" variant="outline">
          자주 묻는 질문 보기
        </ButtonLink>
      ) : (
        <ButtonLink to="/mypage/inquiry" variant="outline">
          보낸 양식 보기
        </ButtonLink>
      )}
    </div>
  )
}

export function Component() {
  const { formCode = PARTNER } = useParams()
  const isGuest = useSession((session) => session.payload === undefined)
  const [address, setAddress] = useState<string>()
  const { data, error, refetch } = useApiQuery('/api/v1/forms/{id}', { path: { id: formCode } }, { retry: false })
  const form = data?.form
  useTitle(form?.name)
  if (!form) {
    return (
      <CenterPage title="양식">
        {error && toApiError(error).status === NOT_FOUND ? (
          <EmptyState
            title="찾으시는 양식이 없습니다"
            text="접수 기간이 끝났거나 삭제된 양식입니다."
            action={
              <ButtonLink to="/about/contact" variant="outline">
                제휴·문의로
              </ButtonLink>
            }
          />
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
    <CenterPage title={form.name}>
      {address !== undefined ? (
        <Done text={form.doneText} address={address} isGuest={isGuest} />
      ) : (
        <>
          {form.content && (
            <div
              className="prose-shop mt-4"
              // Sanitised by the server.
              dangerouslySetInnerHTML={{ __html: form.content }}
            />
          )}
          {form.membersOnly && isGuest ? (
            <div className="mt-6 grid justify-items-start gap-4">
              <Notice tone="info">회원만 보낼 수 있는 양식입니다.</Notice>
              <ButtonLink to={`/login?next=${encodeURIComponent(`/form/${formCode}`)}`}>로그인</ButtonLink>
            </div>
          ) : (
            <FilledForm form={form} isGuest={isGuest} onSent={setAddress} onChanged={() => void refetch()} />
          )}
        </>
      )}
    </CenterPage>
  )
}
