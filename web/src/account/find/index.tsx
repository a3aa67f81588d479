// Finding an id or a password: asking for a mail, and using the link in it. The link's token is behind the hash sign.
import { type ReactNode, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { call } from '../../api/client'
import { endSession } from '../../api/session'
import { useForm } from '../../features/forms/useForm'
import { validationWords } from '../../i18n/validationWords'
import { email, failures, HINTS, password, required } from '../../lib/validators'
import { Button, ButtonLink } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PasswordInput } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { findWords } from './words'

const t = findWords
const CONFLICT = 409

export function Component() {
  const { pathname, hash } = useLocation()
  const { userId } = useParams()
  const isId = pathname.toLowerCase().startsWith('/login/find-id')
  const token = hash.slice(1)
  const key = `${pathname}${hash}`
  if (!userId) return isId ? <FindId key={key} /> : <FindPassword key={key} />
  if (!token) return <BrokenLink isId={isId} />
  return isId ? <ShowId key={key} id={userId} token={token} /> : <SetPassword key={key} id={userId} token={token} />
}

function Page({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto w-full max-w-[25rem] px-5 pt-14 md:pt-24">
      <h1 className="font-extrabold text-3xl">{title}</h1>
      {lead && <p className="mt-2 text-ink-2">{lead}</p>}
      {children}
    </main>
  )
}

/** Shown whether or not there is such an account. */
function Sent({ onAgain }: { onAgain: () => void }) {
  return (
    <Page title={t.sentTitle}>
      <div role="status">
        <p className="mt-4">{t.sentText}</p>
        <p className="mt-2 text-ink-2">{t.sentHint}</p>
      </div>
      <ButtonLink to="/login" size="lg" block className="mt-8">
        {t.toLogin}
      </ButtonLink>
      <Button variant="outline" size="lg" block className="mt-3" onClick={onAgain}>
        {t.again}
      </Button>
    </Page>
  )
}

function Others({ to, label }: { to: string; label: string }) {
  const style = 'underline underline-offset-4 hover:text-accent'
  return (
    <p className="mt-6 flex justify-center gap-4 text-ink-2">
      <Link to={to} className={style}>
        {label}
      </Link>
      <Link to="/login" className={style}>
        {t.toLogin}
      </Link>
    </p>
  )
}

function FindId() {
  const [isSent, setIsSent] = useState(false)
  const form = useForm({
    initial: { email: '' },
    check: (values) => failures(values, { email }),
    send: (values) => call('POST', '/api/v1/users/find-id', { body: { email: values.email.trim() } }),
    onSent: () => setIsSent(true),
  })
  if (isSent) return <Sent onAgain={() => setIsSent(false)} />
  return (
    <Page title={t.id} lead={t.idLead}>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <Field label={t.email} error={form.errors.email}>
          <Input type="email" autoComplete="email" {...form.text('email')} />
        </Field>
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          {t.send}
        </Button>
      </form>
      <Others to="/login/find-password" label={t.password} />
    </Page>
  )
}

function FindPassword() {
  const [isSent, setIsSent] = useState(false)
  const form = useForm({
    initial: { username: '', email: '' },
    check: (values) => failures(values, { username: required(t.usernameMissing), email }),
    send: ({ username, email: address }) =>
      call('POST', '/api/v1/users/find-password', { body: { username: username.trim(), email: address.trim() } }),
    onSent: () => setIsSent(true),
  })
  if (isSent) return <Sent onAgain={() => setIsSent(false)} />
  return (
    <Page title={t.password} lead={t.passwordLead}>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <Field label={t.username} error={form.errors.username}>
          <Input autoComplete="username" autoCapitalize="none" {...form.text('username')} />
        </Field>
        <Field label={t.email} error={form.errors.email}>
          <Input type="email" autoComplete="email" {...form.text('email')} />
        </Field>
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          {t.send}
        </Button>
      </form>
      <Others to="/login/find-id" label={t.id} />
    </Page>
  )
}

function BrokenLink({ isId }: { isId: boolean }) {
  return (
    <Page title={isId ? t.id : t.reset}>
      <p role="alert" className="mt-4">
        {t.noToken}
      </p>
      <Restart to={isId ? '/login/find-id' : '/login/find-password'} />
    </Page>
  )
}

function Restart({ to }: { to: string }) {
  return (
    <ButtonLink to={to} variant="outline" size="lg" block className="mt-4">
      {t.restart}
    </ButtonLink>
  )
}

type LinkProps = { id: string; token: string }

/** The link is valid once, so it is used at a click: not by whatever looks at links in mail. */
function ShowId({ id, token }: LinkProps) {
  const [username, setUsername] = useState<string>()
  const form = useForm({
    initial: {},
    check: () => ({}),
    send: () => call('POST', '/api/v1/users/find-id/{id}', { path: { id }, body: { token } }),
    onSent: (found) => setUsername(found.username),
  })
  if (username) {
    return (
      <Page title={t.id} lead={t.found}>
        <p role="status" className="mt-6 rounded-lg bg-sunken p-5 text-center font-bold text-xl">
          {username}
        </p>
        <ButtonLink to="/login" size="lg" block className="mt-8">
          {t.toLogin}
        </ButtonLink>
        <Others to="/login/find-password" label={t.password} />
      </Page>
    )
  }
  return (
    <Page title={t.id} lead={t.showLead}>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          {t.show}
        </Button>
      </form>
      {form.refusal?.status === CONFLICT && <Restart to="/login/find-id" />}
    </Page>
  )
}

function SetPassword({ id, token }: LinkProps) {
  const [isSaved, setIsSaved] = useState(false)
  const form = useForm({
    initial: { password: '', password2: '' },
    check: (values) => ({
      ...failures({ password: values.password }, { password }),
      password2: values.password === values.password2 ? undefined : validationWords.passwordAgain,
    }),
    send: (values) =>
      call('POST', '/api/v1/users/find-password/{id}', { path: { id }, body: { token, password: values.password } }),
    onSent: () => {
      // All sessions have ended, also this browser's.
      endSession()
      setIsSaved(true)
    },
  })
  if (isSaved) {
    return (
      <Page title={t.savedTitle}>
        <p role="status" className="mt-4">
          {t.savedText}
        </p>
        <ButtonLink to="/login" size="lg" block className="mt-8">
          {t.toLogin}
        </ButtonLink>
      </Page>
    )
  }
  return (
    <Page title={t.reset} lead={t.resetLead}>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <Field label={t.newPassword} hint={HINTS.password} error={form.errors.password}>
          <PasswordInput autoComplete="new-password" {...form.text('password')} />
        </Field>
        <Field label={t.newPassword2} error={form.errors.password2}>
          <PasswordInput autoComplete="new-password" {...form.text('password2')} />
        </Field>
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          {t.save}
        </Button>
      </form>
      {form.refusal?.status === CONFLICT && <Restart to="/login/find-password" />}
    </Page>
  )
}
