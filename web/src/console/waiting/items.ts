// What waits, each with the list that has as many rows, and the entry of the menu whose number it is part of.
import type { ResponseOf } from '../../api/openapiTypes'
import { waitingWords as t } from './words'

export const WAITING = '/api/console/analytics/waiting'

export type Waiting = ResponseOf<'GET', typeof WAITING>

export type WaitingItem = {
  name: string
  count: number
  /** The list, with its filters set. */
  to: string
  /** The path of the menu's entry; undefined: it is in none of the numbers there. */
  menu?: string
  isUrgent?: boolean
}

const PURCHASES = '/console/shop/purchases'
const DISPATCH = '/console/shop/dispatch'
const REFUNDS = '/console/shop/refunds'
const PRODUCTS = '/console/shop/products'
const UNANSWERED = '?state=ANSWER_AWAITING'

/** Everything that waits, the most urgent first. */
export function waitingItems({ claims, parcels, stock, answers, refunds, givenUpMessages }: Waiting): WaitingItem[] {
  const claim = (kind: keyof typeof claims): WaitingItem => ({
    name: t[kind],
    count: claims[kind],
    to: `${PURCHASES}/${kind}?pending=true`,
    menu: `${PURCHASES}/all`,
  })
  const parcel = (state: 'late' | 'new' | 'preparing'): WaitingItem => ({
    name: t[state],
    count: parcels[state],
    to: `${DISPATCH}/${state}`,
    menu: `${DISPATCH}/new`,
    isUrgent: state === 'late',
  })
  const refund = (state: 'due' | 'unknown' | 'refused', name: string): WaitingItem => ({
    name,
    count: refunds?.[state] ?? 0,
    to: state === 'due' ? REFUNDS : `${REFUNDS}?state=${state}`,
    menu: REFUNDS,
    isUrgent: state !== 'due',
  })
  const question = (kind: keyof typeof answers, page: string): WaitingItem => ({
    name: t[kind],
    count: answers[kind] ?? 0,
    to: page + UNANSWERED,
    menu: page,
  })
  const all: WaitingItem[] = [
    parcel('late'),
    refund('refused', t.refusedRefunds),
    refund('unknown', t.unknownRefunds),
    claim('cancel'),
    claim('return'),
    claim('exchange'),
    parcel('new'),
    parcel('preparing'),
    question('inquires', '/console/shop/inquires'),
    question('questions', '/console/center/questions'),
    question('inquiries', '/console/inquiries'),
    question('contacts', '/console/center/contacts'),
    refund('due', t.dueRefunds),
    { name: t.out, count: stock.out, to: `${PRODUCTS}?shows=true&stock=OUT`, menu: PRODUCTS, isUrgent: true },
    { name: t.low, count: stock.low, to: `${PRODUCTS}?shows=true&stock=LOW` },
    {
      name: t.givenUpMessages,
      count: givenUpMessages ?? 0,
      to: '/console/messages?state=GIVEN_UP',
      menu: '/console/messages',
    },
  ]
  return all.filter(({ count }) => count > 0)
}

/** The numbers of the menu, by the path of its entries. */
export function countsOfMenu(waiting: Waiting): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { menu, count } of waitingItems(waiting)) if (menu) counts.set(menu, (counts.get(menu) ?? 0) + count)
  return counts
}
