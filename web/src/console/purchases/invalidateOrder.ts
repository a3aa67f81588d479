// Invalidates reads after an order changed.
import type { QueryClient } from '@tanstack/react-query'
import { apiQueryKey } from '../../api/query'

/** Everything on the console's screens that depends on an order. */
const TOUCHED = [
  '/api/console/shop/purchases',
  '/api/console/shop/purchases/dashboard/{manage}',
  '/api/console/shop/purchases/dispatch',
  '/api/console/shop/deliveries',
  '/api/console/users/payments',
  '/api/console/shop/orders/{id}',
  '/api/console/shop/orders/{id}/history',
]

/** Invalidates it. */
export const invalidateOrder = (client: QueryClient): Promise<unknown> =>
  Promise.all(TOUCHED.map((template) => client.invalidateQueries({ queryKey: apiQueryKey(template).slice(0, 2) })))

/** Approved refunds are paid in the background, and only then canceled. */
const REFUNDED_AFTER_MS = [2000, 6000]

/** Invalidates it again when refunds that were just approved are likely complete. */
export function followRefunds(client: QueryClient): void {
  for (const after of REFUNDED_AFTER_MS) setTimeout(() => void invalidateOrder(client), after)
}
