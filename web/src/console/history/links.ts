// Links to events, records and ledgers: an event's element id, and the page and name of each ledger.

import { getIn } from '../crud/formState'
import { editedAt } from '../crud/recordPage'
import { kindOf } from '../crud/schema'
import { ledgerWords } from '../ledgers/words'
import { recordPages } from '../recordPages'
import { historyWords } from './words'

/** The element id of an event in a history. */
export const eventId = (position: number): string => `event-${position}`

/** Scrolls to an event of this page's history. */
export function scrollToEvent(position: number): void {
  // A closing layer restores the focus first.
  setTimeout(() => {
    const mark = document.getElementById(eventId(position))
    mark?.scrollIntoView({ block: 'center' })
    mark?.focus()
  }, 50)
}

/** Display name of a kind of ledger or record. */
export const streamTitle = (kind: string): string => historyWords.streams[kind] ?? kindOf(kind)?.title ?? kind

/** The ledger of an account of the books: an order's own accounts are shown with the order. */
export const accountLedger = (account: string): { kind: string; id: string } => ({
  kind: 'money',
  id: account.replace(/^(held|unapplied):/, ''),
})

const ID_END = 6

/** Display name of an account of the books, with the end of the id of its order or seller. */
export function accountTitle(account: string): string {
  const [kind = '', of = ''] = account.split(':')
  const title = ledgerWords.accounts[kind]
  if (!title) return account
  return [title, of === 'platform' ? ledgerWords.platform : of.slice(-ID_END)].filter(Boolean).join(' · ')
}

/** Pages where the records of each kind are edited, by id or code. */
const PAGES: Record<string, string> = {
  product: '/console/shop/products/{id}',
  shipping: '/console/shop/shippings?id={id}',
  island: '/console/shop/islands?id={id}',
  coupon: '/console/shop/coupons?id={id}',
  'coupon-code-batch': '/console/shop/coupon-codes?id={id}',
  brand: '/console/shop/brands?id={id}',
  display: '/console/main/display/{code}?id={id}',
  showroom: '/console/shop/showrooms?id={id}',
  store: '/console/shop/stores?id={id}',
  banner: '/console/banners/{id}',
  'band-banner': '/console/band-banners?id={id}',
  'banner-advertisement': '/console/main/advertisement?id={id}',
  popup: '/console/popups?id={id}',
  terms: '/console/site/terms?id={id}',
  'site-setting': '/console/site/setting',
  holiday: '/console/shop/holidays?id={id}',
  faq: '/console/about/faq?id={id}',
  question: '/console/center/questions?id={id}',
  contact: '/console/center/contacts?id={id}',
  notice: '/console/center/notifications?id={id}',
  level: '/console/user-level?id={id}',
  review: '/console/shop/reviews?id={id}',
  inquire: '/console/shop/inquires?id={id}',
  'category-tree': '/console/shop/categories',
  ...Object.fromEntries(recordPages.map((page) => [page.kind, editedAt(page)])),
}

/** A page of the console, and its list. */
export type Home = { page: string; list: string }

/** The page where a record is edited; undefined: none. */
export function recordHref(kind: string, id: string, code = ''): Home | undefined {
  const page = PAGES[kind]?.replace('{code}', encodeURIComponent(code))
  if (!page) return undefined
  return { page: page.replace('{id}', encodeURIComponent(id)), list: page.replace(/[/?][^/?]*\{id\}/, '') }
}

/** The page of a ledger's subject: a record itself or an order, the product of a stock ledger, the coupon of an issued one. */
export function ledgerSourceHref({ kind, id }: { kind: string; id: string }, state: unknown): Home | undefined {
  const text = (path: string) => String(getIn(state, path) ?? '')
  switch (kind) {
    case 'order':
      return { page: `/console/shop/orders/${id}`, list: '/console/shop/purchases/all' }
    case 'stock':
      return text('product') ? recordHref('product', text('product')) : undefined
    case 'issued-coupon':
      return text('held.coupon') ? recordHref('coupon', text('held.coupon')) : undefined
    case 'coupon-campaign':
      return recordHref('coupon', id)
    default:
      return recordHref(kind, id, text('code'))
  }
}

/** The page of a ledger or record; payments, and buyers' payment requests, are shown with their order. */
export function ledgerHref({ kind, id }: { kind: string; id: string }): string | undefined {
  switch (kind) {
    case 'order':
      return `/console/shop/orders/${id}`
    case 'payment':
    case 'user-payment':
      return undefined
    case 'points':
      return `/console/ledgers/points/${id.replace(/:points$/, '')}`
    case 'money':
    case 'stock':
    case 'member':
    case 'deadline':
    case 'file':
      return `/console/ledgers/${kind}/${id}`
    case 'issued-coupon':
    case 'coupon-campaign':
      return `/console/ledgers/coupon/${id}`
    case 'coupon-code-batch':
      return `/console/ledgers/codes/${id}`
    default:
      return `/console/ledgers/record/${id}`
  }
}
