// Joining, step 3: the member's data, checked by the specification's rules (V128-V149) before the server checks them again.
import { type ReactNode, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import type { ApiError } from '../../api/errors'
import { setAgreements, useSession } from '../../api/session'
import { type FormErrors, useForm } from '../../features/forms/useForm'
import { namedDayFault, namedDayText, namedDayWords } from '../../features/login/day'
import { joinWords } from '../../features/login/joinWords'
import { loginWords } from '../../features/login/words'
import { validationWords } from '../../i18n/validationWords'
import { digits } from '../../lib/phone'
import {
  businessNumber,
  businessRegistration,
  ceoName,
  companyName,
  email,
  failures,
  HINTS,
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
import { FormError } from '../../ui/FormError'
import { Input, PasswordInput, PhoneInput } from '../../ui/Input'
import { agreed } from './agreement'
import { createSignUpSubmitter } from './createSignUpSubmitter'
import { RegistrationCopy } from './RegistrationCopy'
import { JOINED, Step, useKind } from './Step'

const t = joinWords
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
  birthday: '',
  foundedAt: '',
}
type Values = typeof EMPTY & { businessRegistration?: File }

const PERSON_RULES = { username, password, name, nickname, email, phone }
const COMPANY_RULES: Partial<Record<keyof typeof EMPTY, Rule>> = {
  ...PERSON_RULES,
  companyName,
  ceoName,
  businessNumber,
  licenseCode,
}

const check = (values: Values, isCompany: boolean): FormErrors => ({
  ...failures<keyof typeof EMPTY>(values, isCompany ? COMPANY_RULES : PERSON_RULES),
  [isCompany ? 'foundedAt' : 'birthday']: namedDayFault(isCompany ? values.foundedAt : values.birthday),
  password2: values.password === values.password2 ? undefined : validationWords.passwordAgain,
  businessRegistration: isCompany ? businessRegistration(values.businessRegistration) : undefined,
})

/** Server field names that differ from the form's. */
const HERE: Record<string, keyof Values> = {
  businessRegistration: 'businessNumber',
  registrationToken: 'businessRegistration',
}

/** Error codes that belong to one field without naming it. */
const TAKEN: Record<string, keyof Values> = { username_taken: 'username', nickname_taken: 'nickname' }

/** Maps a refusal to the form's fields, and the rest to `form`. */
function refused(error: ApiError): FormErrors | undefined {
  const field = TAKEN[error.code]
  if (field) return { [field]: error.message }
  if (error.fields.length === 0) return undefined
  const found: Record<string, string> = {}
  const others: string[] = []
  for (const one of error.fields) {
    const name = HERE[one.field] ?? one.field
    if (name in EMPTY || name === 'businessRegistration') found[name] = one.message
    else others.push(one.message)
  }
  return { ...found, form: others.join(' ') || undefined }
}

export function Component() {
  const kind = useKind()
  // Captured on mount: sending clears them while the form is still mounted.
  const [agreements] = useState(() => useSession.getState().agreements)
  if (!agreed(agreements)) return <Navigate to={`/join/agreement?type=${kind}`} replace />
  return <JoinForm isCompany={kind === 'COMPANY'} terms={agreements} />
}

function JoinForm({ isCompany, terms }: { isCompany: boolean; terms: string[] }) {
  const navigate = useNavigate()
  const [send] = useState(createSignUpSubmitter)
  const form = useForm({
    initial: { ...EMPTY, businessRegistration: undefined as File | undefined },
    check: (values) => check(values, isCompany),
    send: ({
      password2: _,
      companyName,
      ceoName,
      businessNumber,
      licenseCode,
      businessRegistration: copy,
      birthday,
      foundedAt,
      ...person
    }) => {
      const company = { companyName, ceoName, businessRegistration: businessNumber, licenseCode }
      const day = namedDayText(isCompany ? foundedAt : birthday)
      const body = {
        ...person,
        phone: digits(person.phone),
        type: isCompany ? ('COMPANY' as const) : ('PERSON' as const),
        _terms: terms,
        ...(isCompany ? company : {}),
        ...(day !== '' && { [isCompany ? 'foundedAt' : 'birthday']: day }),
      }
      return send(body, isCompany ? copy : undefined)
    },
    onSent: () => {
      setAgreements([])
      return navigate('/join/done', { replace: true, state: JOINED })
    },
    refused,
  })
  const { values, errors } = form
  const day = isCompany ? 'foundedAt' : 'birthday'
  /** Shows a field's own error after blur. */
  const row = (field: keyof typeof EMPTY, label: string, control: ReactNode, hint?: string, required = true) => (
    <Field label={label} error={errors[field]} hint={hint} required={required} className="[&_input]:w-full">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the blur of the control inside */}
      <div onBlur={() => form.touch(field)}>{control}</div>
    </Field>
  )
  const text = (field: keyof typeof EMPTY, autoComplete: string) => (
    <Input autoComplete={autoComplete} autoCapitalize="none" {...form.text(field)} />
  )

  return (
    <Step at={2} title={t.form}>
      <form {...form.formProps} className="grid gap-5">
        {row('username', loginWords.username, text('username', 'username'), HINTS.username)}
        {row(
          'password',
          loginWords.password,
          <PasswordInput autoComplete="new-password" {...form.text('password')} />,
          HINTS.password,
        )}
        {row('password2', t.password2, <PasswordInput autoComplete="new-password" {...form.text('password2')} />)}
        {row('name', t.name, text('name', 'name'))}
        {row('nickname', t.nickname, text('nickname', 'nickname'), HINTS.nickname)}
        {row('email', t.email, <Input type="email" autoComplete="email" {...form.text('email')} />)}
        {row(
          'phone',
          t.phone,
          <PhoneInput value={values.phone} onValueChange={(value) => form.set({ phone: value })} />,
        )}
        {isCompany && (
          <>
            {row('companyName', t.companyName, text('companyName', 'organization'))}
            {row('ceoName', t.ceoName, text('ceoName', 'off'))}
            {row('businessNumber', t.businessNumber, text('businessNumber', 'off'))}
            {row('licenseCode', t.licenseCode, text('licenseCode', 'off'))}
            <RegistrationCopy
              file={values.businessRegistration}
              onFile={(chosen) => {
                form.set({ businessRegistration: chosen })
                form.touch('businessRegistration')
              }}
              error={errors.businessRegistration}
            />
          </>
        )}
        {row(day, namedDayWords[day], text(day, isCompany ? 'off' : 'bday'), namedDayWords.hint, false)}
        <FormError>{errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending} className="mt-2">
          {t.submit}
        </Button>
      </form>
    </Step>
  )
}
