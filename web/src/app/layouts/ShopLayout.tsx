// The shop's frame: band banner, header, content, footer, floating sidebar, and the bottom bar of a phone.
import { Bell, LogIn, LogOut, Menu, Search, ShoppingBag, Store, User } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { useLoggedIn, useSession } from '../../api/session'
import { useCartCount } from '../../features/cart/api'
import { useLogout } from '../../features/login/useLogout'
import { useUnreadCount } from '../../features/notifications/unread'
import { ko } from '../../i18n/ko'
import { loginPath, useLoginPath } from '../../lib/loginRedirect'
import { CountBadge, shownCount } from '../../ui/CountBadge'
import { Link } from '../../ui/Link'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import { hasRoute } from '../routeTable'
import { BandBanner } from './BandBanner'
import { BottomBar } from './BottomBar'
import { Logo } from './Logo'
import { MegaMenu } from './MegaMenu'
import { MenuLink } from './MenuLink'
import { SearchBox } from './SearchBox'
import { SkipLink } from './SkipLink'
import { useScrollThreshold } from './useScrollThreshold'

/** A layer whose code fails to load shows an error and can be opened again. */
const withFailureToast = {
  onFail: ({ onClose }: { onClose: () => void }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
}
const CategoryDrawer = optional(() => import('./CategoryDrawer'), withFailureToast)
const Footer = optional(() => import('./Footer'))
const MobileSearch = optional(() => import('./MobileSearch'), withFailureToast)
const NotificationDrawer = optional(() => import('./NotificationDrawer'), withFailureToast)
const RankTicker = optional(() => import('./RankTicker'))
const Extras = optional(() => import('./Extras'))

const t = ko.chrome
type Layer = 'menu' | 'search' | 'notices'

export function ShopLayout() {
  const [layer, setLayer] = useState<Layer>()
  const { quarter, half } = useScrollThreshold()
  const close = () => setLayer(undefined)
  return (
    <div className="group/page flex min-h-dvh flex-col" data-far={half || undefined}>
      <SkipLink />
      <BandBanner />
      <Header onLayer={setLayer} />
      {/* The footer stays below the fold while the page loads, so that it does not visibly move. */}
      <div className="min-h-[calc(100dvh-12rem)] flex-1">
        <Outlet />
      </div>
      <Footer />
      <AfterPage>
        <Extras far={quarter} />
      </AfterPage>
      <BottomBar onMenu={() => setLayer('menu')} />
      {layer === 'menu' && <CategoryDrawer onClose={close} />}
      {layer === 'search' && <MobileSearch onClose={close} />}
      {layer === 'notices' && <NotificationDrawer onClose={close} />}
    </div>
  )
}

/** Renders less important parts after the first page is shown. */
function AfterPage({ children }: { children: ReactNode }) {
  const [stands, setStands] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStands(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return stands && children
}

const ROUND = 'flex size-11 items-center justify-center rounded-full hover:bg-sunken'

function Header({ onLayer }: { onLayer: (layer: Layer) => void }) {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper/95 backdrop-blur transition-shadow group-data-far/page:shadow-header">
      <div className="shell flex h-15 items-center gap-2 md:h-19 md:gap-8">
        <button
          type="button"
          aria-label={ko.action.openMenu}
          onClick={() => onLayer('menu')}
          className={`${ROUND} -ml-2.5 md:hidden`}
        >
          <Menu aria-hidden className="size-6" />
        </button>
        <Logo />
        <SearchBox className="hidden w-full max-w-md md:block" />
        <AfterPage>
          <RankTicker className="hidden w-48 lg:block" />
        </AfterPage>
        <Account onNotices={() => onLayer('notices')}>
          <button
            type="button"
            aria-label={t.search}
            onClick={() => onLayer('search')}
            className={`${ROUND} md:hidden`}
          >
            <Search aria-hidden className="size-6" />
          </button>
        </Account>
      </div>
      {hasRoute('/shop/products') && <MegaMenu />}
    </header>
  )
}

function Account({ onNotices, children }: { onNotices: () => void; children: ReactNode }) {
  const loggedIn = useLoggedIn()
  const mayManage = useSession((s) => (s.payload?.scope.length ?? 0) > 0)
  const leave = useLogout()
  const login = useLoginPath()
  const link =
    'hidden h-11 items-center gap-1.5 whitespace-nowrap rounded-full px-3 font-medium text-sm hover:bg-sunken md:flex'
  return (
    <nav aria-label={t.account} className="ml-auto flex items-center max-md:-mr-2">
      {children}
      {mayManage && (
        <Link to="/console" className={link}>
          <Store aria-hidden className="size-5" />
          {t.console}
        </Link>
      )}
      {loggedIn ? (
        <>
          {hasRoute('/mypage') && (
            <MenuLink to="/mypage" className={link}>
              <User aria-hidden className="size-5" />
              {t.mypage}
            </MenuLink>
          )}
          <button type="button" onClick={() => void leave()} className={link}>
            <LogOut aria-hidden className="size-5" />
            {ko.action.logout}
          </button>
        </>
      ) : (
        <>
          <Link to={login} className={link}>
            <LogIn aria-hidden className="size-5" />
            {ko.action.login}
          </Link>
          <Link to="/join" className={link}>
            <User aria-hidden className="size-5" />
            {ko.action.join}
          </Link>
        </>
      )}
      <NoticeButton onOpen={onNotices} />
      {hasRoute('/cart') && <CartLink to={loggedIn ? '/cart' : '/shop/cart'} />}
    </nav>
  )
}

/** The bell; a guest is asked to log in (spec V029, V156). */
function NoticeButton({ onOpen }: { onOpen: () => void }) {
  const loggedIn = useLoggedIn()
  const count = useUnreadCount()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <button
      type="button"
      onClick={() => {
        if (loggedIn) return onOpen()
        void toast(ko.session.loginRequiredMenu, { tone: 'error' })
        void navigate(loginPath(pathname + search))
      }}
      className={ROUND}
    >
      <span className="relative">
        <Bell aria-hidden className="size-6" />
        <CountBadge count={count} />
      </span>
      <span className="sr-only">{count > 0 ? `${t.notices} ${t.unread(shownCount(count))}` : t.notices}</span>
    </button>
  )
}

/** The header links to the visitor's own cart; the bottom bar to the member's, which asks a guest to log in (spec V178). */
function CartLink({ to }: { to: string }) {
  const count = useCartCount()
  return (
    <MenuLink to={to} className={ROUND}>
      <span className="relative">
        <ShoppingBag aria-hidden className="size-6" />
        <CountBadge count={count} />
      </span>
      <span className="sr-only">{t.cart}</span>
      {count > 0 && <span className="sr-only">{t.cartCount(count)}</span>}
    </MenuLink>
  )
}
