// The console's frame: side menu of the allowed pages, breadcrumbs, page.
import { LogOut, Menu, Store } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useApiQuery } from '../../api/query'
import { type Scope, useSession } from '../../api/session'
import { useMenuCounts } from '../../console/waiting/useWaiting'
import { waitingWords } from '../../console/waiting/words'
import { useLogout } from '../../features/login/useLogout'
import { INFO } from '../../features/notifications/unread'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { usePageContext } from '../../lib/pageContext'
import { scrollToCenter } from '../../lib/scrollToCenter'
import { Breadcrumbs } from '../../ui/Breadcrumbs'
import { Button, IconButton } from '../../ui/Button'
import { shownCount } from '../../ui/CountBadge'
import { Sheet } from '../../ui/Dialog'
import { Link } from '../../ui/Link'
import { optional } from '../../ui/Optional'
import { Logo } from '../layouts/Logo'
import { SkipLink } from '../layouts/SkipLink'
import { breadcrumbsOfPage } from './breadcrumbs'
import { CommandPalette } from './CommandPalette'
import { consoleMenu } from './menu'
import { consoleWords } from './words'

const ConsoleNotices = optional(() => import('./ConsoleNotices'), {
  waiting: () => <span className="size-10 shrink-0" />,
})

const NO_SCOPES: readonly Scope[] = []

export function ConsoleLayout() {
  const scopes = useSession((s) => s.payload?.scope) ?? NO_SCOPES
  const userType = useSession((s) => s.payload?.userType)
  const [open, setOpen] = useState(false)
  const location = useLocation()
  const thing = usePageContext()
  const { data: me } = useApiQuery(INFO, {}, { enabled: userType !== undefined, retry: false })
  const nickname = me?.user.nickname
  const leave = useLogout()
  const steps = breadcrumbsOfPage(location, thing)
  const counts = useMenuCounts(location.pathname, scopes.length > 0)
  const t = consoleWords

  return (
    <div className="min-h-dvh bg-sunken md:grid md:grid-cols-[13rem_1fr] lg:grid-cols-[15rem_1fr]">
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col border-line border-r bg-raised md:flex">
        <div className="px-6 py-5 max-lg:px-4.5">
          <Logo to="/console" suffix={t.name} />
        </div>
        <SideMenu scopes={scopes} counts={counts} className="min-h-0 flex-1 overflow-y-auto px-4 pb-5 max-lg:px-2.5" />
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-30 flex h-15 items-center gap-2 border-line border-b bg-raised/95 px-4 backdrop-blur md:px-6 lg:px-8">
          <IconButton label={ko.action.openMenu} onClick={() => setOpen(true)} className="-ml-2 md:hidden">
            <Menu aria-hidden />
          </IconButton>
          {steps.length > 0 && <Breadcrumbs steps={steps} className="min-w-0 flex-1" />}
          <Link
            to="/"
            className="ml-auto flex h-10 shrink-0 items-center gap-1.5 rounded-full px-3 font-medium text-sm hover:bg-sunken"
          >
            <Store aria-hidden className="size-4.5" />
            <span className="max-xs:sr-only">{t.toShop}</span>
          </Link>
          {userType && (
            <>
              <ConsoleNotices />
              {nickname && (
                <span title={nickname} className="max-w-32 truncate font-semibold text-sm max-sm:hidden">
                  {nickname}
                </span>
              )}
              <Button variant="ghost" size="sm" className="font-medium max-xs:px-2" onClick={() => void leave()}>
                <LogOut aria-hidden />
                <span className="max-xs:sr-only">{ko.action.logout}</span>
              </Button>
            </>
          )}
        </header>
        <div className="flex-1 px-4 py-6 md:px-6 md:py-8 lg:px-8">
          <Outlet />
        </div>
      </div>
      <CommandPalette scopes={scopes} />
      <Sheet open={open} onOpenChange={setOpen} side="left" title={t.menu} description={nickname}>
        <SideMenu scopes={scopes} counts={counts} onChosen={() => setOpen(false)} />
      </Sheet>
    </div>
  )
}

type SideMenuProps = {
  scopes: readonly Scope[]
  /** What waits, by the path of an entry. */
  counts?: ReadonlyMap<string, number>
  onChosen?: () => void
  className?: string
}

function SideMenu({ scopes, counts, onChosen, className }: SideMenuProps) {
  const { pathname: address } = useLocation()
  const pathname = usePageContext((s) => s.under) ?? address
  const menu = useRef<HTMLElement>(null)
  // The menu is longer than most windows: scroll the current entry into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry changes with the address
  useEffect(() => {
    const current = menu.current?.querySelector('[aria-current="page"]')
    if (!menu.current || !current) return
    // On a phone the sheet around the menu scrolls.
    current.scrollIntoView({ block: 'nearest' })
    scrollToCenter(menu.current, current)
  }, [pathname])
  const isAt = (path: string, under: readonly string[]) =>
    pathname === path || under.some((one) => pathname.startsWith(one))
  return (
    <nav ref={menu} aria-label={consoleWords.menu} className={cn('grid content-start gap-6', className)}>
      {consoleMenu(scopes).map(({ group, items }) => (
        <div key={group}>
          {group && <h2 className="px-3 pb-1.5 font-semibold text-ink-3 text-xs">{group}</h2>}
          <ul>
            {items.map(({ path, title, activePrefixes, menuHref }) => (
              <li key={path} className="relative">
                <Link
                  to={menuHref ?? path}
                  aria-current={isAt(path, activePrefixes ?? [`${path}/`]) ? 'page' : undefined}
                  onClick={onChosen}
                  className="block rounded-sm px-3 py-2 text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent-strong"
                >
                  {title}
                </Link>
                <MenuCount count={counts?.get(path) ?? 0} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Beside the link: the name of a link has to contain all text in it. */
const MenuCount = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2">
      <span aria-hidden className="figures rounded-full bg-accent px-1.5 py-0.5 font-bold text-on-accent text-xs">
        {shownCount(count)}
      </span>
      <span className="sr-only">{waitingWords.badge(count)}</span>
    </span>
  )
