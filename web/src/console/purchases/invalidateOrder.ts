// What has to be read again after an order changed.
import type { QueryClient } from '@tanstack/react-query'
import { apiQueryKey } from '../../api/query'

/** Everything that an order's change can change on the console's screens. */
const TOUCHED = [
  '/api/console/shop/purchases',
  '/api/console/shop/purchases/dashboard/{manage}',
  '/api/console/shop/deliveries',
  '/api/console/shop/orders/{id}',
  '/api/console/shop/orders/{id}/history',
]

/** Reads it again. */
export const invalidateOrder = (client: QueryClient): Promise<unknown> =>
  Promise.all(TOUCHED.map((template) => client.invalidateQueries({ queryKey: apiQueryKey(template).slice(0, 2) })))

/** What was granted is paid back behind the scenes, and only then canceled. */
const REFUNDED_AFTER_MS = [2000, 6000]

/** Reads it again when refunds that were just granted are likely through. */
export function followRefunds(client: QueryClient): void {
  for (const after of REFUNDED_AFTER_MS) setTimeout(() => void invalidateOrder(client), after)
}
