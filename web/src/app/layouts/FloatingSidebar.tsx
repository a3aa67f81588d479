// Floating elements at the right edge: recently viewed products, and past a quarter of the window the quick links and the scroll-to-top
// button (spec V035, V081-V083, V255). Loaded after the page.
import { ArrowUp, ChevronDown, ChevronUp, Heart, ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useLoggedIn } from '../../api/session'
import { useRecents } from '../../features/products/recentlyViewed'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { scrollManner } from '../../lib/media'
import { Link } from '../../ui/Link'
import { hasRoute } from '../routeTable'
import { MenuLink } from './MenuLink'

const t = {
  recentWidget: '최근 본 상품 바로 가기',
  expandRecents: '최근 본 상품 펼치기',
  collapseRecents: '최근 본 상품 접기',
  sideNav: '빠른 이동',
}
const MORE = 3
const ORDERING = ['/shop/order', '/shop/result']
const ROUND =
  'flex size-11 items-center justify-center rounded-full border border-line bg-raised text-ink shadow-pop hover:bg-sunken'

export default function FloatingSidebar({ far }: { far: boolean }) {
  const loggedIn = useLoggedIn()
  // Not on the order sheet and its result: the page after the payment window would read the list again.
  const isOrdering = ORDERING.includes(useLocation().pathname)
  return (
    <div className="pointer-events-none fixed right-4 bottom-[calc(8.5rem+env(safe-area-inset-bottom))] z-20 flex flex-col items-center gap-2 *:pointer-events-auto md:right-6 md:bottom-8">
      {!isOrdering && <RecentWidget />}
      {far && (
        <nav aria-label={t.sideNav} className="flex animate-fade flex-col items-center gap-2">
          {hasRoute('/mypage/likes') && (
            <MenuLink to="/mypage/likes" className={cn(ROUND, 'max-md:hidden')}>
              <Heart aria-hidden className="size-5" />
              <span className="sr-only">찜한 상품</span>
            </MenuLink>
          )}
          <Link to={loggedIn ? '/cart' : '/shop/cart'} className={cn(ROUND, 'max-md:hidden')}>
            <ShoppingBag aria-hidden className="size-5" />
            <span className="sr-only">{ko.chrome.cart}</span>
          </Link>
          <button
            type="button"
            aria-label="맨 위로"
            onClick={() => window.scrollTo({ top: 0, behavior: scrollManner() })}
            className={ROUND}
          >
            <ArrowUp aria-hidden className="size-5" />
          </button>
        </nav>
      )}
    </div>
  )
}

/** One picture; expanded, up to three more above a link to all of them. A phone has them in its search; on
 * windows only slightly wider than the page it stays within the margin. */
export function RecentWidget() {
  const { recents } = useRecents()
  const [open, setOpen] = useState(false)
  const [first, ...others] = recents
  if (!first) return null
  return (
    <section
      aria-label={t.recentWidget}
      className="flex w-16 flex-col gap-1.5 rounded-lg border border-line bg-raised p-1 shadow-pop max-[86rem]:-mr-6 max-[86rem]:w-9 max-[86rem]:self-end max-[86rem]:rounded-r-none max-md:hidden"
    >
      <p className="pt-1 text-center font-medium text-[0.6875rem] text-ink-3 leading-tight max-[86rem]:sr-only">
        최근 본
      </p>
      <Thumb recent={first} />
      {open && others.slice(0, MORE).map((recent) => <Thumb key={recent._product} recent={recent} />)}
      {open && hasRoute('/mypage/recent') && (
        <MenuLink
          to="/mypage/recent"
          className="rounded-xs py-0.5 text-center text-[0.6875rem] text-ink-2 hover:text-ink hover:underline"
        >
          모두 보기
        </MenuLink>
      )}
      {others.length > 0 && (
        <button
          type="button"
          aria-expanded={open}
          aria-label={open ? t.collapseRecents : t.expandRecents}
          onClick={() => setOpen(!open)}
          className="flex h-6 items-center justify-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink"
        >
          {open ? <ChevronDown aria-hidden className="size-4" /> : <ChevronUp aria-hidden className="size-4" />}
        </button>
      )}
    </section>
  )
}

const Thumb = ({ recent }: { recent: { _product: string; name: string; thumb?: string } }) => (
  <Link to={`/shop/products/${recent._product}`} title={recent.name} className="block rounded-md bg-picture">
    <img
      src={recent.thumb}
      alt={recent.name}
      width={112}
      height={112}
      loading="lazy"
      className="aspect-square w-full rounded-md object-cover mix-blend-multiply"
    />
  </Link>
)
