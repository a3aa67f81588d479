// The result of an order's payment. The request also repairs a payment whose response was lost, so it repeats until the result is known.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { guestOrderHeaders } from '../../api/guestOrders'
import type { OrderDetail } from '../../api/types'
import { awaited } from '../../features/orders/DepositNotice'
import { useOrder } from '../../features/orders/useOrder'

export const PROCESS = '/api/v1/shop/orders/{id}/process'

const FIRST_MS = 1000
const LONGEST_MS = 5000
const TRIES = 12

/** An order that is neither paid nor canceled. */
export const isUnpaid = (order: OrderDetail): boolean => order.status === 'ORDER_NONPAYMENT'

const isCanceled = (order: OrderDetail): boolean => order.status === 'ORDER_CANCELED'

export type Outcome = 'waiting' | 'deposit' | 'paid' | 'unpaid' | 'canceled'

/** `isRefused`: the payment service has refused already, so there is nothing to wait for. */
export function useOrderResult(id: string, isRefused: boolean) {
  const queryClient = useQueryClient()
  const queryKey = ['post', PROCESS, id]
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const path = { id }
      const { order } = await call('POST', PROCESS, { path, headers: guestOrderHeaders(id) })
      return order
    },
    enabled: id !== '',
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => {
      const waiting =
        state.data && isUnpaid(state.data) && !awaited(state.data) && !isRefused && state.dataUpdateCount < TRIES
      return waiting ? Math.min(FIRST_MS * 1.5 ** (state.dataUpdateCount - 1), LONGEST_MS) : false
    },
  })
  const { data: first } = query
  // The shop is notified of deposits: the payment service need not be asked again.
  const { data: later } = useOrder(id, first !== undefined && awaited(first) !== undefined)
  const order = first && later && later.order.version > first.version ? later.order : first
  const attempts = queryClient.getQueryState(queryKey)?.dataUpdateCount ?? 0
  const outcome: Outcome | undefined =
    order &&
    (isCanceled(order)
      ? 'canceled'
      : !isUnpaid(order)
        ? 'paid'
        : awaited(order)
          ? 'deposit'
          : isRefused || attempts >= TRIES
            ? 'unpaid'
            : 'waiting')
  return { order, outcome, error: query.error, askAgain: query.refetch, asking: query.isFetching }
}
