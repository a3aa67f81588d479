// Logging in. Demo accounts come from the site setting, if the shop offers them.
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useSession } from '../../api/session'
import { AlternativeLink } from '../../features/login/AlternativeLink'
import { type Credentials, LoginForm } from '../../features/login/LoginForm'
import { loginWords } from '../../features/login/words'
import { useSetting } from '../../features/settings/api'
import { ko } from '../../i18n/ko'
import { safeRedirect } from '../../lib/loginRedirect'
import { ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { findWords } from '../find/words'

const t = loginWords

/** Where a member begins who was on the way to no page, or to the console's first: staff and sellers see what waits. */
function destination(next: string): string {
  const scopes = useSession.getState().payload?.scope ?? []
  return scopes.length > 0 && ['/', '/console'].includes(next) ? '/console/dashboard' : next
}

/** The guest's equivalent of a member page; only the cart has one. */
const guestNext = (next: string): string | undefined =>
  ['/cart', '/mypage/cart'].includes(next.split(/[?#]/)[0] ?? next) ? '/shop/cart' : undefined

export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { demoAccounts = [] } = useSetting()
  const [known, setKnown] = useState<Credentials>()
  const next = safeRedirect(params.get('next'))
  const guestPage = guestNext(next)
  const count = useSession((s) => s.carts.length)

  return (
    <main id="content" className="mx-auto w-full max-w-[25rem] px-5 pt-14 md:pt-24">
      <h1 className="font-extrabold text-3xl">{t.title}</h1>
      <p className="mt-2 text-ink-2">{t.lead}</p>

      <div className="mt-8">
        <LoginForm known={known} onDone={() => navigate(destination(next), { replace: true })} />
      </div>
      <p className="mt-4 flex justify-center gap-4 text-ink-2">
        <Link to="/login/find-id" className="underline underline-offset-4 hover:text-accent">
          {findWords.id}
        </Link>
        <Link to="/login/find-password" className="underline underline-offset-4 hover:text-accent">
          {findWords.password}
        </Link>
      </p>
      {guestPage && (
        <ButtonLink to={guestPage} replace variant="outline" size="lg" block className="mt-4">
          {t.guestCart}
          {count > 0 && <span className="figures">{t.guestCartCount(count)}</span>}
        </ButtonLink>
      )}
      <div className="mt-2">
        <AlternativeLink question={t.asGuest} to="/shop/lookup" label={ko.chrome.lookup} />
      </div>

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
                  onClick={() => setKnown({ username: account.username, password: account.password })}
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
