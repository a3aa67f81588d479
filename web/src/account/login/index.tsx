// Logging in. Accounts to look around with come from the site setting, where the shop offers them.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { CARTS } from '../../api/cart'
import { toApiError } from '../../api/errors'
import { logIn } from '../../api/login'
import { readKey } from '../../api/read'
import { useSetting } from '../../api/setting'
import { ko } from '../../i18n/ko'
import { safeNext } from '../../lib/next'
import { failures, required } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input, PasswordInput } from '../../ui/Input'

const t = ko.login
const RULES = { username: required(t.usernameMissing), password: required(t.passwordMissing) }
const UNAUTHORIZED = 401

export function Component() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [params] = useSearchParams()
  const { demoAccounts = [] } = useSetting()
  const [values, setValues] = useState({ username: '', password: '' })
  const [errors, setErrors] = useState<Partial<typeof values>>({})
  const login = useMutation({
    mutationFn: () => logIn(values.username, values.password),
    meta: { quiet: true },
    onSuccess: async () => {
      // The header may have read the member's cart before the guest's lines were in it.
      await queryClient.invalidateQueries({ queryKey: readKey(CARTS).slice(0, 2) })
      await navigate(safeNext(params.get('next')), { replace: true })
    },
  })
  const failed = login.error ? toApiError(login.error) : undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = failures(values, RULES)
    setErrors(found)
    if (Object.keys(found).length === 0) login.mutate()
  }
  const typed = (field: keyof typeof values) => (event: { target: { value: string } }) =>
    setValues({ ...values, [field]: event.target.value })

  return (
    <main id="content" className="mx-auto w-full max-w-[25rem] px-5 pt-14 md:pt-24">
      <h1 className="font-extrabold text-3xl">{t.title}</h1>
      <p className="mt-2 text-ink-2">{t.lead}</p>

      <form onSubmit={submit} noValidate className="mt-8 grid gap-4">
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

      <p className="mt-6 text-center text-ink-2">
        {t.noAccount}{' '}
        <Link to="/join" className="font-semibold text-ink underline underline-offset-4 hover:text-accent">
          {ko.action.join}
        </Link>
      </p>

      {demoAccounts.length > 0 && (
        <section aria-labelledby="demo" className="mt-10 rounded-lg bg-sunken p-5">
          <h2 id="demo" className="font-bold">
            {t.demo}
          </h2>
          <p className="text-ink-2 text-sm">{t.demoHint}</p>
          <ul className="mt-3 grid gap-2">
            {demoAccounts.map((account) => (
              <li key={account.username}>
                <button
                  type="button"
                  onClick={() => {
                    setErrors({})
                    setValues({ username: account.username, password: account.password })
                  }}
                  className="flex w-full items-center justify-between gap-4 rounded-md border border-line bg-raised px-4 py-2.5 text-left transition-colors hover:border-ink"
                >
                  <span className="font-semibold">{account.role ?? account.username}</span>
                  <span className="text-ink-3 text-sm">{account.username}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}
