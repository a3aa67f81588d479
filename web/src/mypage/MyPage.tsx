// The frame of the member area: navigation, and the page with its heading.
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { cn } from '../lib/cn'
import { Link } from '../ui/Link'

/** `and`: a page that belongs to it under another address. */
const LINKS: readonly { to: string; label: string; and?: string }[] = [
  { to: '/mypage', label: '마이페이지', and: '/mypage/dashboard' },
  { to: '/mypage/orders', label: '주문 내역', and: '/mypage/orders-detail' },
  { to: '/mypage/cart', label: '장바구니' },
  { to: '/mypage/coupons', label: '쿠폰함' },
  { to: '/mypage/points', label: '적립금', and: '/mypage/mileage' },
  { to: '/mypage/reviews', label: '내 후기', and: '/mypage/reviews-input' },
  { to: '/mypage/inquiries', label: '상품 문의' },
  { to: '/mypage/questions', label: '1:1 문의' },
  { to: '/mypage/inquiry', label: '양식 문의' },
  { to: '/mypage/likes', label: '찜한 상품' },
  { to: '/mypage/recent', label: '최근 본 상품' },
  { to: '/mypage/destinations', label: '배송지 관리' },
  { to: '/mypage/myinfo', label: '내 정보', and: '/mypage/leave' },
]

/** Whether an address is this page or one below it. */
const isIn = (page: string | undefined, path: string): boolean =>
  page !== undefined && (path === page || (page !== '/mypage' && path.startsWith(`${page}/`)))

type MyPageProps = { title: string; aside?: ReactNode; children: ReactNode; className?: string }

export function MyPage({ title, aside, children, className }: MyPageProps) {
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  // On a phone the row is wider than the window: scroll the current entry into view.
  useEffect(() => {
    const row = list.current?.parentElement
    const here = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (row && here) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2
  }, [])
  return (
    <div className="shell py-6 md:grid md:grid-cols-[11rem_minmax(0,1fr)] md:gap-12 md:py-12">
      <nav
        aria-label="마이페이지"
        className="relative -mx-5 mb-6 overflow-x-auto px-5 [scrollbar-width:none] md:mx-0 md:mb-0 md:overflow-visible md:px-0"
      >
        <ul ref={list} className="flex w-max gap-1.5 md:sticky md:top-36 md:w-auto md:flex-col">
          {LINKS.map(({ to, label, and }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={isIn(to, pathname) || isIn(and, pathname) ? 'page' : undefined}
                className="block whitespace-nowrap rounded-sm px-3 py-2 text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-bold aria-[current=page]:text-ink"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" className={cn('min-w-0', className)}>
        <div className="flex flex-wrap items-end justify-between gap-3">
          <h1 className="font-extrabold text-3xl">{title}</h1>
          {aside}
        </div>
        {children}
      </main>
    </div>
  )
}
