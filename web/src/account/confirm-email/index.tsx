// Confirms the member's e-mail address, by the link in a mail to it. The member logs in on this page if need be, so that the token behind the
// hash sign stays in the address. Confirmed by a click: programs that open links in mail confirm nothing.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { call } from '../../api/client'
import { apiQueryKey } from '../../api/query'
import { useSession } from '../../api/session'
import { useForm } from '../../features/forms/useForm'
import { LoginForm } from '../../features/login/LoginForm'
import { Button, ButtonLink } from '../../ui/Button'
import { FormError } from '../../ui/FormError'
import { confirmEmailWords as t } from './words'

const CONFLICT = 409

export function Component() {
  const { hash } = useLocation()
  const { userId = '' } = useParams()
  const isLoggedIn = useSession((s) => s.payload !== undefined)
  const token = hash.slice(1)
  if (!token) {
    return (
      <Page title={t.title}>
        <p role="alert" className="mt-4">
          {t.noToken}
        </p>
        <Again />
      </Page>
    )
  }
  if (!isLoggedIn) {
    return (
      <Page title={t.title}>
        <p className="mt-4">{t.login}</p>
        <div className="mt-8">
          <LoginForm onDone={() => undefined} />
        </div>
      </Page>
    )
  }
  return <Confirmation key={`${userId}${token}`} token={token} />
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto w-full max-w-[25rem] px-5 pt-14 md:pt-24">
      <h1 className="font-extrabold text-3xl">{title}</h1>
      {children}
    </main>
  )
}

function Again() {
  return (
    <ButtonLink to="/mypage/myinfo" variant="outline" size="lg" block className="mt-4">
      {t.again}
    </ButtonLink>
  )
}

function Confirmation({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const [email, setEmail] = useState<string>()
  const form = useForm({
    initial: {},
    check: () => ({}),
    send: () => call('POST', '/api/v1/me/email/confirm', { body: { token } }),
    onSent: (answer) => {
      queryClient.setQueryData(apiQueryKey('/api/v1/me/info'), answer)
      setEmail(answer.user.email)
    },
  })
  if (email) {
    return (
      <Page title={t.doneTitle}>
        <p role="status" className="mt-4">
          <span className="break-all font-semibold">{email}</span>
          <br />
          {t.done}
        </p>
        <ButtonLink to="/mypage/myinfo" size="lg" block className="mt-8">
          {t.toInfo}
        </ButtonLink>
      </Page>
    )
  }
  return (
    <Page title={t.title}>
      <p className="mt-4">{t.lead}</p>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          {t.confirm}
        </Button>
      </form>
      {form.refusal?.status === CONFLICT && <Again />}
    </Page>
  )
}
