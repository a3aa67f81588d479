// Links of the header and the menus besides the categories; entries whose page does not exist are omitted.
import { ko } from '../../i18n/ko'
import { hasRoute } from '../routeTable'

export type ChromeLink = { to: string; label: string }

export const there = (links: readonly ChromeLink[]): ChromeLink[] => links.filter(({ to }) => hasRoute(to))

/** Product lists besides the category tree. */
export const shelves = (): ChromeLink[] =>
  there([
    { to: '/shop/best', label: '베스트' },
    { to: '/shop/brands', label: '브랜드' },
    { to: '/shop/showrooms', label: '쇼룸' },
    { to: '/sub/event', label: '이벤트' },
    { to: '/story', label: ko.chrome.story },
    { to: '/sub/store', label: '매장' },
  ])

export const categoryHref = (code: string): string => `/shop/products?category=${encodeURIComponent(code)}`
