// The console's start page, accessible without a login (spec V180): the allowed pages, or the login.
import { ChevronRight } from 'lucide-react'
import { useLoggedIn, useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { loginPath } from '../../lib/loginRedirect'
import { ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { EmptyState } from '../../ui/states'
import { consoleMenu } from './menu'
import { consoleWords } from './words'

export function Component() {
  const loggedIn = useLoggedIn()
  const scopes = useSession((s) => s.payload?.scope)
  const t = consoleWords
  const mayManage = scopes !== undefined && scopes.length > 0
  return (
    <main id="content" className="mx-auto max-w-5xl">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      {mayManage ? (
        <div className="mt-6 grid gap-4 md:grid-cols-2">
          {consoleMenu(scopes).map(({ group, items }) => (
            <Card key={group} title={group}>
              <ul className="divide-y divide-line">
                {items.map(({ path, title, menuHref }) => (
                  <li key={path}>
                    <Link
                      to={menuHref ?? path}
                      className="flex items-center justify-between rounded-xs py-3 font-medium hover:text-accent"
                    >
                      {title}
                      <ChevronRight aria-hidden className="size-4.5 text-ink-3" />
                    </Link>
                  </li>
                ))}
              </ul>
            </Card>
          ))}
        </div>
      ) : (
        <Card className="mt-6">
          <EmptyState
            title={loggedIn ? t.noScope : t.loginTitle}
            text={loggedIn ? t.noScopeText : t.loginText}
            action={
              <ButtonLink to={loggedIn ? '/' : loginPath('/console')}>
                {loggedIn ? t.toShop : ko.action.login}
              </ButtonLink>
            }
          />
        </Card>
      )}
    </main>
  )
}
