// Username and password, on the login page and in dialogs that require a login.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ko } from '../../i18n/ko'
import { failures, required } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PasswordInput } from '../../ui/Input'
import { invalidateCart } from '../cart/api'
import { useForm } from '../forms/useForm'
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
  const [begun, setBegun] = useState(known)
  const form = useForm({
    initial: known ?? { username: '', password: '' },
    check: (values) => failures(values, RULES),
    send: ({ username, password }) => logIn(username, password),
    refused: ({ status }) => (status === UNAUTHORIZED ? { form: t.wrong } : undefined),
    onSent: async () => {
      // The header may have read the member's cart before the guest's lines were added.
      await invalidateCart(queryClient)
      await onDone()
    },
  })
  if (known && known !== begun) {
    setBegun(known)
    form.reset(known)
  }

  return (
    <>
      <form {...form.formProps} className="grid gap-4">
        <Field label={t.username} error={form.errors.username}>
          <Input autoComplete="username" autoCapitalize="none" {...form.text('username')} />
        </Field>
        <Field label={t.password} error={form.errors.password}>
          <PasswordInput autoComplete="current-password" {...form.text('password')} />
        </Field>
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending} className="mt-2">
          {t.title}
        </Button>
      </form>
      <div className="mt-6">
        <AlternativeLink question={t.noAccount} to="/join" label={ko.action.join} />
      </div>
    </>
  )
}
