// Addresses of the order list.

export type OrderFilter = 'all' | 'processing' | 'shipped' | 'delivered' | 'cancel' | 'exchange' | 'return'

/** Filters with an address of their own. */
const OWN_PATHS: Partial<Record<OrderFilter, string>> = {
  cancel: '/mypage/orders/cancel',
  return: '/mypage/orders/return',
}

/** The list with a filter; empty values mean all, except for the period, where empty means unlimited. */
export function ordersHref(filter: OrderFilter, { months, step }: { months?: string; step?: string } = {}): string {
  const own = OWN_PATHS[filter]
  const query = new URLSearchParams({
    ...(own ? {} : { filter }),
    ...(months !== undefined && { months }),
    ...(step && { step }),
  }).toString()
  return `${own ?? '/mypage/orders'}${query && `?${query}`}`
}

/** The filter of this address. */
export const ownFilterOf = (pathname: string): OrderFilter | undefined =>
  (['cancel', 'return'] as const).find((filter) => OWN_PATHS[filter] === pathname.replace(/\/$/, ''))
