// The way out of advertising, from the link in a mail and without signing in. Asked for by a click: programs that open links do not refuse
// on anyone's behalf. The link's token is behind the hash sign.
import { useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { call } from '../../api/client'
import { useForm } from '../../features/forms/useForm'
import { Button, ButtonLink } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { FormError } from '../../ui/FormError'
import { unsubscribeWords as t } from './words'

const UNSUBSCRIBE = '/api/v1/users/unsubscribe/{id}/{token}'

export function Component() {
  const { hash } = useLocation()
  const { userId = '' } = useParams()
  const token = hash.slice(1)
  return (
    <main id="content" className="mx-auto w-full max-w-[25rem] px-5 pt-14 md:pt-24">
      {token ? (
        <Refusal key={`${userId}${token}`} id={userId} token={token} />
      ) : (
        <>
          <h1 className="font-extrabold text-3xl">{t.title}</h1>
          <p role="alert" className="mt-4">
            {t.noToken}
          </p>
        </>
      )}
    </main>
  )
}

function Refusal({ id, token }: { id: string; token: string }) {
  const [withdrawnAt, setWithdrawnAt] = useState<string>()
  const form = useForm({
    initial: {},
    check: () => ({}),
    send: () => call('POST', UNSUBSCRIBE, { path: { id, token } }),
    onSent: (done) => setWithdrawnAt(done.withdrawnAt),
  })
  if (withdrawnAt) {
    return (
      <>
        <h1 className="font-extrabold text-3xl">{t.doneTitle}</h1>
        <p role="status" className="mt-4">
          <DateText value={withdrawnAt} />
          {t.done}
        </p>
        <p className="mt-2 text-ink-2 text-sm">{t.doneHint}</p>
        <ButtonLink to="/" size="lg" block className="mt-8">
          {t.toShop}
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <h1 className="font-extrabold text-3xl">{t.title}</h1>
      <p className="mt-4">{t.lead}</p>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          {t.refuse}
        </Button>
      </form>
    </>
  )
}
