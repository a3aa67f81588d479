// What has to be read again after an order changed.
import type { QueryClient } from '@tanstack/react-query'
import { apiQueryKey } from '../../api/query'

/** Everything that an order's change can change on the console's screens. */
const TOUCHED = [
  '/api/console/shop/purchases',
  '/api/console/shop/purchases/dashboard/{manage}',
  '/api/console/shop/orders/{id}',
  '/api/console/shop/orders/{id}/history',
]

/** Reads it again. */
export const invalidateOrder = (client: QueryClient): Promise<unknown> =>
  Promise.all(TOUCHED.map((template) => client.invalidateQueries({ queryKey: apiQueryKey(template).slice(0, 2) })))
