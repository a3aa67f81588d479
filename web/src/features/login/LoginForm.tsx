// Name and password, on the page to log in and in dialogs that demand it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toApiError } from '../../api/errors'
import { apiQueryKey } from '../../api/query'
import { ko } from '../../i18n/ko'
import { failures, required } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input, PasswordInput } from '../../ui/Input'
import { CARTS } from '../cart/api'
import { AlternativeLink } from './AlternativeLink'
import { logIn } from './api'
import { loginWords } from './words'

const t = loginWords
const RULES = { username: required(t.usernameMissing), password: required(t.passwordMissing) }
const UNAUTHORIZED = 401

export type Credentials = { username: string; password: string }

type LoginFormProps = {
  /** Initial values; another object resets the fields. */
  known?: Credentials | undefined
  onDone: () => unknown
}

export function LoginForm({ known, onDone }: LoginFormProps) {
  const queryClient = useQueryClient()
  const [values, setValues] = useState(known ?? { username: '', password: '' })
  const [errors, setErrors] = useState<Partial<Credentials>>({})
  const [begun, setBegun] = useState(known)
  if (known && known !== begun) {
    setBegun(known)
    setValues(known)
    setErrors({})
  }
  const login = useMutation({
    mutationFn: () => logIn(values.username, values.password),
    meta: { suppressToast: true },
    onSuccess: async () => {
      // The header may have read the member's cart before the guest's lines were in it.
      await queryClient.invalidateQueries({ queryKey: apiQueryKey(CARTS).slice(0, 2) })
      await onDone()
    },
  })
  const failed = login.error ? toApiError(login.error) : undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = failures(values, RULES)
    setErrors(found)
    if (Object.keys(found).length === 0) login.mutate()
  }
  const typed = (field: keyof Credentials) => (event: { target: { value: string } }) =>
    setValues({ ...values, [field]: event.target.value })

  return (
    <>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <Field label={t.username} error={errors.username}>
          <Input autoComplete="username" autoCapitalize="none" value={values.username} onChange={typed('username')} />
        </Field>
        <Field label={t.password} error={errors.password}>
          <PasswordInput autoComplete="current-password" value={values.password} onChange={typed('password')} />
        </Field>
        {failed && (
          <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
            {failed.status === UNAUTHORIZED ? t.wrong : failed.message}
          </p>
        )}
        <Button type="submit" size="lg" block busy={login.isPending} className="mt-2">
          {t.title}
        </Button>
      </form>
      <div className="mt-6">
        <AlternativeLink question={t.noAccount} to="/join" label={ko.action.join} />
      </div>
    </>
  )
}
