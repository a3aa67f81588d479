// Where the chrome leads siblingPath the categories; an entry whose page does not exist is left out.
import { ko } from '../../i18n/ko'
import { hasRoute } from '../routeTable'

export type ChromeLink = { to: string; label: string }

const there = (links: readonly ChromeLink[]): ChromeLink[] => links.filter(({ to }) => hasRoute(to))

/** Ways through the goods beside the category tree. */
export const shelves = (): ChromeLink[] =>
  there([
    { to: '/shop/best', label: '베스트' },
    { to: '/shop/brands', label: '브랜드' },
    { to: '/shop/showrooms', label: '쇼룸' },
    { to: '/sub/event', label: '이벤트' },
    { to: '/story', label: ko.chrome.story },
    { to: '/sub/store', label: '매장' },
  ])

/** The About Us group of the menu (spec V025). */
export const aboutGroup = (): ChromeLink[] =>
  there([
    { to: '/about', label: ko.chrome.about },
    { to: '/about/blog', label: '레시피' },
    { to: '/about/faq', label: '자주 묻는 질문' },
    { to: '/about/contact', label: '제휴·문의' },
    { to: '/center/notice', label: '공지사항' },
    { to: '/terms/service', label: '이용약관' },
    { to: '/terms/privacy', label: '개인정보처리방침' },
  ])

export const categoryHref = (code: string): string => `/shop/products?category=${encodeURIComponent(code)}`
