// The shop's frame: header, content, footer, and the bar at the bottom of a phone.
import { House, LayoutGrid, LogIn, LogOut, Menu, Search, ShoppingBag, Store, User, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, Outlet } from 'react-router'
import { useCartCount } from '../../api/cart'
import { useCategories } from '../../api/categories'
import { useLoggedIn, useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { useLeave } from '../leave'
import { exists } from '../table'
import { Footer } from './Footer'
import { Logo } from './Logo'
import { MenuLink } from './MenuLink'
import { SearchBox } from './SearchBox'
import { SkipLink } from './SkipLink'
import { ToTop } from './ToTop'

const CategoryDrawer = lazy(() => import('./CategoryDrawer'))

const t = ko.chrome
const ABOUT = [
  { to: '/about', label: t.about },
  { to: '/about/blog', label: '레시피' },
  { to: '/center/notice', label: '고객센터' },
]

export function ShopLayout() {
  const [drawer, setDrawer] = useState(false)
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header onMenu={() => setDrawer(true)} />
      <div className="flex-1">
        <Outlet />
      </div>
      <Footer />
      <ToTop />
      <BottomBar onMenu={() => setDrawer(true)} />
      <Suspense>{drawer && <CategoryDrawer onClose={() => setDrawer(false)} />}</Suspense>
    </div>
  )
}

function Header({ onMenu }: { onMenu: () => void }) {
  const [searching, setSearching] = useState(false)
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper/95 backdrop-blur">
      <div className="shell flex h-15 items-center gap-2 md:h-19 md:gap-10">
        <button
          type="button"
          aria-label={ko.action.openMenu}
          onClick={onMenu}
          className="-ml-2 flex size-11 items-center justify-center rounded-full hover:bg-sunken md:hidden"
        >
          <Menu aria-hidden className="size-6" />
        </button>
        <Logo />
        <SearchBox className="hidden w-full max-w-md md:block" />
        <Account>
          <button
            type="button"
            aria-label={t.search}
            aria-expanded={searching}
            onClick={() => setSearching(!searching)}
            className="flex size-11 items-center justify-center rounded-full hover:bg-sunken md:hidden"
          >
            {searching ? <X aria-hidden className="size-6" /> : <Search aria-hidden className="size-6" />}
          </button>
        </Account>
      </div>
      {searching && (
        <div className="shell pb-3 md:hidden">
          <SearchBox onDone={() => setSearching(false)} />
        </div>
      )}
      <CategoryBar />
    </header>
  )
}

function Account({ children }: { children: ReactNode }) {
  const loggedIn = useLoggedIn()
  const mayManage = useSession((s) => (s.payload?.scope.length ?? 0) > 0)
  const leave = useLeave()
  const link = 'hidden h-11 items-center gap-1.5 rounded-full px-3 font-medium text-sm hover:bg-sunken md:flex'
  return (
    <nav aria-label={t.account} className="ml-auto flex items-center">
      {children}
      {mayManage && (
        <Link to="/console" className={link}>
          <Store aria-hidden className="size-5" />
          {t.console}
        </Link>
      )}
      {loggedIn ? (
        <>
          {exists('/mypage') && (
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
          <Link to="/login" className={link}>
            <LogIn aria-hidden className="size-5" />
            {ko.action.login}
          </Link>
          <Link to="/join" className={link}>
            <User aria-hidden className="size-5" />
            {ko.action.join}
          </Link>
        </>
      )}
      {exists('/cart') && (
        <CartLink
          to={loggedIn ? '/cart' : '/shop/cart'}
          className="flex size-11 items-center justify-center rounded-full hover:bg-sunken"
        />
      )}
    </nav>
  )
}

/** The bar at the bottom leads to the member's cart, which asks a guest to log in (spec V176); the header to the one he has. */
function CartLink({ to = '/cart', className, children }: { to?: string; className: string; children?: ReactNode }) {
  const count = useCartCount()
  return (
    <MenuLink to={to} className={className}>
      <span className="relative">
        <ShoppingBag aria-hidden className="size-6" />
        {count > 0 && (
          <span
            aria-hidden
            className="figures absolute -top-1.5 -right-2.5 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-accent px-1 font-bold text-[0.6875rem] text-on-accent"
          >
            {count > 99 ? '99+' : count}
          </span>
        )}
      </span>
      {children ?? <span className="sr-only">{t.cart}</span>}
      {count > 0 && <span className="sr-only">{t.cartCount(count)}</span>}
    </MenuLink>
  )
}

const categoryHref = (code: string): string => `/shop/products?category=${encodeURIComponent(code)}`

/** The category tree under the header; children open on hover and on focus. */
function CategoryBar() {
  const categories = useCategories()
  if (!exists('/shop/products')) return null
  const top = 'flex h-11 items-center rounded-sm font-semibold text-ink hover:text-accent'
  return (
    <nav aria-label={t.main} className="shell hidden md:block">
      <ul className="flex gap-8">
        <li>
          <Link to="/shop/products" className={top}>
            {t.allProducts}
          </Link>
        </li>
        {categories.map((category) => (
          <li key={category._id} className="group relative">
            <Link to={categoryHref(category.code)} className={top}>
              {category.name}
            </Link>
            {category.children && category.children.length > 0 && (
              <ul className="invisible absolute top-full -left-4 z-40 min-w-44 rounded-lg border border-line bg-raised p-2 opacity-0 shadow-pop transition-opacity group-focus-within:visible group-focus-within:opacity-100 group-hover:visible group-hover:opacity-100">
                {category.children.map((child) => (
                  <li key={child._id}>
                    <Link to={categoryHref(child.code)} className="block rounded-sm px-3 py-2 text-sm hover:bg-sunken">
                      {child.name}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {ABOUT.filter(({ to }) => exists(to)).map(({ to, label }, i) => (
          <li key={to} className={cn(i === 0 && 'ml-auto')}>
            <Link to={to} className={cn(top, 'font-medium text-ink-2')}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Below 1024 px: the ways one takes with the thumb (spec V034). */
function BottomBar({ onMenu }: { onMenu: () => void }) {
  const loggedIn = useLoggedIn()
  const item =
    'flex flex-1 flex-col items-center justify-center gap-0.5 text-ink-3 text-[0.6875rem] font-medium aria-[current=page]:text-ink [&_svg]:size-6'
  return (
    <nav
      aria-label={t.bottom}
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(3.75rem+env(safe-area-inset-bottom))] border-line border-t bg-paper/95 pb-[env(safe-area-inset-bottom)] backdrop-blur md:hidden"
    >
      <MenuLink to="/" end className={item}>
        <House aria-hidden />
        {t.homeTab}
      </MenuLink>
      <button type="button" onClick={onMenu} className={item}>
        <LayoutGrid aria-hidden />
        {t.categories}
      </button>
      {exists('/story/article') && (
        <MenuLink to="/story/article" className={item}>
          <Store aria-hidden />
          {t.story}
        </MenuLink>
      )}
      {exists('/cart') && <CartLink className={item}>{t.cart}</CartLink>}
      {exists('/mypage') ? (
        <MenuLink to="/mypage" className={item}>
          <User aria-hidden />
          {t.mypage}
        </MenuLink>
      ) : (
        !loggedIn && (
          <MenuLink to="/login" className={item}>
            <User aria-hidden />
            {ko.action.login}
          </MenuLink>
        )
      )}
    </nav>
  )
}
