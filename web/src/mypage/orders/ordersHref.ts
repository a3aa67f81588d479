// Addresses of the list of orders.

export type OrderFilter = 'all' | 'processing' | 'shipped' | 'delivered' | 'cancel' | 'exchange' | 'return'

/** Filters with an address of their own. */
const OWN_PATHS: Partial<Record<OrderFilter, string>> = {
  cancel: '/mypage/orders/cancel',
  return: '/mypage/orders/return',
}

/** The list under a filter; what is empty stands for all but the period, which is empty for "ever". */
export function ordersHref(filter: OrderFilter, { months, step }: { months?: string; step?: string } = {}): string {
  const own = OWN_PATHS[filter]
  const query = new URLSearchParams({
    ...(own ? {} : { filter }),
    ...(months !== undefined && { months }),
    ...(step && { step }),
  }).toString()
  return `${own ?? '/mypage/orders'}${query && `?${query}`}`
}

/** The filter whose own address this is. */
export const ownFilterOf = (pathname: string): OrderFilter | undefined =>
  (['cancel', 'return'] as const).find((filter) => OWN_PATHS[filter] === pathname.replace(/\/$/, ''))
