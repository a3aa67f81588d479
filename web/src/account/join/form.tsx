// Joining, step 3: the member's data, checked by the specification's rules (V128-V149) before the server checks them again.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { setAgreements, useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { digits } from '../../lib/phone'
import {
  businessNumber,
  businessRegistration,
  ceoName,
  companyName,
  email,
  failures,
  licenseCode,
  name,
  nickname,
  password,
  phone,
  type Rule,
  username,
} from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input, PasswordInput, PhoneInput } from '../../ui/Input'
import { agreed } from './agreement'
import { Step, useKind } from './parts'

const t = ko.join
const EMPTY = {
  username: '',
  password: '',
  password2: '',
  name: '',
  nickname: '',
  email: '',
  phone: '',
  companyName: '',
  ceoName: '',
  businessNumber: '',
  licenseCode: '',
}
type Values = typeof EMPTY
type Errors = Partial<Record<keyof Values | 'businessRegistration', string>>

const PERSON_RULES = { username, password, name, nickname, email, phone }
const COMPANY_RULES: Partial<Record<keyof Values, Rule>> = {
  ...PERSON_RULES,
  companyName,
  ceoName,
  businessNumber,
  licenseCode,
}

function check(values: Values, isCompany: boolean, file: File | undefined): Errors {
  const errors: Errors = failures<keyof Values>(values, isCompany ? COMPANY_RULES : PERSON_RULES)
  if (values.password !== values.password2) errors.password2 = ko.validation.passwordAgain
  const missing = isCompany ? businessRegistration(file) : undefined
  if (missing) errors.businessRegistration = missing
  return errors
}

/** Hands the registration copy in; answers what claims it when joining. */
async function upload(file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  const answer = await call<{ document: { token: string } }>('POST', '/api/v1/users/documents', { body })
  return answer.document.token
}

/** The server's names of fields that are called otherwise here. */
const HERE: Record<string, keyof Errors> = {
  businessRegistration: 'businessNumber',
  registrationToken: 'businessRegistration',
  file: 'businessRegistration',
}

const named = (errors: Record<string, string>): Errors =>
  Object.fromEntries(Object.entries(errors).map(([field, text]) => [HERE[field] ?? field, text]))

export function Component() {
  const kind = useKind()
  // As they were on entering: sending the form clears them while it still stands here.
  const [agreements] = useState(() => useSession.getState().agreements)
  if (!agreed(agreements)) return <Navigate to={`/join/agreement?type=${kind}`} replace />
  return <JoinForm isCompany={kind === 'COMPANY'} terms={agreements} />
}

function JoinForm({ isCompany, terms }: { isCompany: boolean; terms: string[] }) {
  const navigate = useNavigate()
  const [values, setValues] = useState<Values>(EMPTY)
  const [file, setFile] = useState<File>()
  const [errors, setErrors] = useState<Errors>({})
  const join = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const { password2: _, companyName, ceoName, businessNumber, licenseCode, ...person } = values
      const company = {
        companyName,
        ceoName,
        businessRegistration: businessNumber,
        licenseCode,
        registrationToken: file && (await upload(file)),
      }
      await call('POST', '/api/v1/users', {
        body: {
          ...person,
          phone: digits(person.phone),
          type: isCompany ? 'COMPANY' : 'PERSON',
          _terms: terms,
          ...(isCompany ? company : {}),
        },
      })
    },
    onSuccess: () => {
      setAgreements([])
      return navigate('/join/done', { replace: true })
    },
    onError: (thrown) => setErrors(named(toApiError(thrown).byField())),
  })
  const failed = join.error ? toApiError(join.error) : undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = check(values, isCompany, file)
    setErrors(found)
    if (Object.keys(found).length === 0) join.mutate()
  }

  const set = (field: keyof Values) => (value: string) => setValues({ ...values, [field]: value })
  /** A field whose rule is looked at again when one leaves it. */
  const row = (field: keyof Values, label: string, control: ReactNode, hint?: string) => (
    <Field label={label} error={errors[field]} hint={hint} required className="[&_input]:w-full">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the blur of the control inside */}
      <div
        onBlur={() => values[field] !== '' && setErrors({ ...errors, [field]: check(values, isCompany, file)[field] })}
      >
        {control}
      </div>
    </Field>
  )
  const text = (field: keyof Values, autoComplete: string) => (
    <Input
      value={values[field]}
      autoComplete={autoComplete}
      autoCapitalize="none"
      onChange={(event) => set(field)(event.target.value)}
    />
  )

  return (
    <Step at={2} title={t.form}>
      <form onSubmit={submit} noValidate className="grid gap-5">
        {row('username', ko.login.username, text('username', 'username'), '영문 소문자와 숫자 6~20자')}
        {row(
          'password',
          ko.login.password,
          <PasswordInput
            value={values.password}
            autoComplete="new-password"
            onChange={(event) => set('password')(event.target.value)}
          />,
          '영문, 숫자, 특수문자를 섞어 8~16자',
        )}
        {row(
          'password2',
          t.password2,
          <PasswordInput
            value={values.password2}
            autoComplete="new-password"
            onChange={(event) => set('password2')(event.target.value)}
          />,
        )}
        {row('name', t.name, text('name', 'name'))}
        {row('nickname', t.nickname, text('nickname', 'nickname'), '공백과 특수문자 없이 2~15자')}
        {row(
          'email',
          t.email,
          <Input
            type="email"
            value={values.email}
            autoComplete="email"
            onChange={(event) => set('email')(event.target.value)}
          />,
        )}
        {row('phone', t.phone, <PhoneInput value={values.phone} onValue={set('phone')} />)}
        {isCompany && (
          <>
            {row('companyName', t.companyName, text('companyName', 'organization'))}
            {row('ceoName', t.ceoName, text('ceoName', 'off'))}
            {row('businessNumber', t.businessNumber, text('businessNumber', 'off'))}
            {row('licenseCode', t.licenseCode, text('licenseCode', 'off'))}
            <Field label={t.businessRegistration} error={errors.businessRegistration} required>
              <Input
                type="file"
                accept="image/*,application/pdf"
                onChange={(event) => setFile(event.target.files?.[0])}
                className="py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-sunken file:px-3 file:py-1 file:font-medium"
              />
            </Field>
          </>
        )}
        {failed && failed.fields.length === 0 && !failed.alerted && (
          <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
            {failed.message}
          </p>
        )}
        <Button type="submit" size="lg" block busy={join.isPending} className="mt-2">
          {t.submit}
        </Button>
      </form>
    </Step>
  )
}
