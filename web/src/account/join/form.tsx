// Joining, step 3: the member's data, checked by the specification's rules (V128-V149) before the server checks them again.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { type ApiError, toApiError } from '../../api/errors'
import { setAgreements, useSession } from '../../api/session'
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
  if (values.password !== values.password2) errors.password2 = validationWords.passwordAgain
  const missing = isCompany ? businessRegistration(file) : undefined
  if (missing) errors.businessRegistration = missing
  return errors
}

/** The server's names of fields that are called otherwise here. */
const HERE: Record<string, keyof Errors> = {
  businessRegistration: 'businessNumber',
  registrationToken: 'businessRegistration',
}

/** Refusals that are about one field without naming it. */
const TAKEN: Record<string, keyof Errors> = { username_taken: 'username', nickname_taken: 'nickname' }

/** What the server refused, at the fields that stand here, and what belongs to none of them. */
function refused(error: ApiError): { errors: Errors; rest?: string } {
  const field = TAKEN[error.code]
  if (field) return { errors: { [field]: error.message } }
  const named = error.fields.map((one) => ({ ...one, field: HERE[one.field] ?? one.field }))
  const isHere = (name: string) => name in EMPTY || name === 'businessRegistration'
  const others = named.filter((one) => !isHere(one.field)).map((one) => one.message)
  const rest = named.length === 0 && !error.alerted ? error.message : others.join(' ')
  return {
    errors: Object.fromEntries(named.filter((one) => isHere(one.field)).map((one) => [one.field, one.message])),
    rest: rest || undefined,
  }
}

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
  const [failure, setFailure] = useState<string>()
  const [send] = useState(createSignUpSubmitter)
  const form = useRef<HTMLFormElement>(null)
  const [look, setLook] = useState(0)
  // Leads to the first field that has to be filled in again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` rises when there is something to look at
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [look])
  const join = useMutation({
    meta: { suppressToast: true },
    mutationFn: () => {
      const { password2: _, companyName, ceoName, businessNumber, licenseCode, ...person } = values
      const company = { companyName, ceoName, businessRegistration: businessNumber, licenseCode }
      const body = {
        ...person,
        phone: digits(person.phone),
        type: isCompany ? ('COMPANY' as const) : ('PERSON' as const),
        _terms: terms,
        ...(isCompany ? company : {}),
      }
      return send(body, isCompany ? file : undefined)
    },
    onSuccess: () => {
      setAgreements([])
      return navigate('/join/done', { replace: true, state: JOINED })
    },
    onError: (thrown) => {
      const told = refused(toApiError(thrown))
      setErrors(told.errors)
      setFailure(told.rest)
      setLook((times) => times + 1)
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = check(values, isCompany, file)
    setErrors(found)
    setFailure(undefined)
    if (Object.keys(found).length === 0) join.mutate()
    else setLook((times) => times + 1)
  }

  const set = (field: keyof Values) => (value: string) => {
    setValues({ ...values, [field]: value })
    // What was said of the old value no longer holds.
    if (errors[field]) setErrors({ ...errors, [field]: undefined })
  }
  /** A field whose rule is looked at when one leaves it; what the server said of it stays until it is changed. */
  const row = (field: keyof Values, label: string, control: ReactNode, hint?: string) => (
    <Field label={label} error={errors[field]} hint={hint} required className="[&_input]:w-full">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the blur of the control inside */}
      <div
        onBlur={() => {
          const fault = check(values, isCompany, file)[field]
          if (values[field] !== '' && fault) setErrors({ ...errors, [field]: fault })
        }}
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
      <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
        {row('username', loginWords.username, text('username', 'username'), HINTS.username)}
        {row(
          'password',
          loginWords.password,
          <PasswordInput
            value={values.password}
            autoComplete="new-password"
            onChange={(event) => set('password')(event.target.value)}
          />,
          HINTS.password,
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
        {row('nickname', t.nickname, text('nickname', 'nickname'), HINTS.nickname)}
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
        {row('phone', t.phone, <PhoneInput value={values.phone} onValueChange={set('phone')} />)}
        {isCompany && (
          <>
            {row('companyName', t.companyName, text('companyName', 'organization'))}
            {row('ceoName', t.ceoName, text('ceoName', 'off'))}
            {row('businessNumber', t.businessNumber, text('businessNumber', 'off'))}
            {row('licenseCode', t.licenseCode, text('licenseCode', 'off'))}
            <RegistrationCopy
              file={file}
              onFile={(chosen) => {
                setFile(chosen)
                setErrors({ ...errors, businessRegistration: chosen && businessRegistration(chosen) })
              }}
              error={errors.businessRegistration}
            />
          </>
        )}
        {failure && (
          <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
            {failure}
          </p>
        )}
        <Button type="submit" size="lg" block busy={join.isPending} className="mt-2">
          {t.submit}
        </Button>
      </form>
    </Step>
  )
}
