// Navigation bar at the bottom below 1024 px. The specification's five entries, if their pages exist (spec V034); home and the
// categories replace those that do not exist yet.
import { Headset, House, LayoutGrid, MessageSquareText, ShoppingBag, Store, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../../api/session'
import { useCartCount } from '../../features/cart/api'
import { ko } from '../../i18n/ko'
import { CountBadge } from '../../ui/CountBadge'
import { hasRoute } from '../routeTable'
import { MenuLink } from './MenuLink'

const t = ko.chrome
const PLACES = 5
const ITEM =
  'flex flex-1 flex-col items-center justify-center gap-0.5 text-ink-3 text-[0.6875rem] font-medium aria-[current=page]:text-ink [&_svg]:size-6'

export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const me = useSession((s) => s.payload?._user)
  const count = useCartCount()
  const link = (to: string, label: string, icon: ReactNode, end = false) => ({
    key: label,
    shows: hasRoute(to),
    node: (
      <MenuLink to={to} end={end} className={ITEM}>
        {icon}
        {label}
      </MenuLink>
    ),
  })
  const cart = (
    <span className="relative">
      <ShoppingBag aria-hidden />
      <CountBadge count={count} />
      {count > 0 && <span className="sr-only">{t.cartCount(count)}</span>}
    </span>
  )
  const named = [
    link('/mypage', t.mypage, <User aria-hidden />),
    link(me ? `/minishop/${me}` : '/minishop/me', t.miniHome, <Store aria-hidden />),
    link('/center/faq', t.center, <Headset aria-hidden />),
    link('/cart', t.cart, cart),
    link('/story/article', t.story, <MessageSquareText aria-hidden />),
  ].filter(({ shows }) => shows)
  const fillers = [
    link('/', t.homeTab, <House aria-hidden />, true),
    {
      key: t.categories,
      shows: true,
      node: (
        <button type="button" onClick={onMenu} className={ITEM}>
          <LayoutGrid aria-hidden />
          {t.categories}
        </button>
      ),
    },
  ].slice(0, Math.max(0, PLACES - named.length))
  return (
    <nav
      aria-label={t.bottom}
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(3.75rem+env(safe-area-inset-bottom))] border-line border-t bg-paper/95 pb-[env(safe-area-inset-bottom)] backdrop-blur md:hidden"
    >
      {[...fillers, ...named].map(({ key, node }) => (
        <div key={key} className="contents">
          {node}
        </div>
      ))}
    </nav>
  )
}
