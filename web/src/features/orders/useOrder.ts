// One order of a member, or of a guest known to this browser; refetched automatically while a change is expected.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client'
import { guestOrderHeaders } from '../../api/guestOrders'
import { apiQueryKey } from '../../api/query'
import { useLoggedIn } from '../../api/session'
import type { OrderDetail } from '../../api/types'
import { awaited } from './DepositNotice'

export const MY_ORDER = '/api/v1/me/orders/{id}'

/** A refund follows an approval within seconds. */
const REFUND_MS = 2000
const REFUND_TRIES = 10
/** Deposits may take any time: polled often at first, then every half minute. */
const DEPOSIT_MS = 4000
const DEPOSIT_GROWTH = 1.15
const DEPOSIT_MOST_MS = 30_000

type State = { data?: { order: OrderDetail }; dataUpdateCount: number }

const awaitsDeposit = ({ data }: State): boolean => data !== undefined && awaited(data.order) !== undefined

/** A claim was approved, so its refund is pending. */
const isRefunding = ({ data }: State): boolean => data?.order.claims.some((one) => one.state === 'APPROVED') ?? false

function intervalOf(state: State): number | false {
  if (isRefunding(state)) return state.dataUpdateCount < REFUND_TRIES && REFUND_MS
  if (!awaitsDeposit(state)) return false
  return Math.min(DEPOSIT_MS * DEPOSIT_GROWTH ** state.dataUpdateCount, DEPOSIT_MOST_MS)
}

export const useOrder = (id: string, enabled = id !== ''): UseQueryResult<{ order: OrderDetail }> =>
  useQuery({
    // The guest's token is not part of the key: orders found by number and by address share one entry.
    queryKey: apiQueryKey(MY_ORDER, { path: { id } }),
    queryFn: ({ signal }) => call('GET', MY_ORDER, { path: { id }, headers: guestOrderHeaders(id), signal }),
    enabled,
    refetchInterval: ({ state }) => intervalOf(state),
    // The buyer pays in another window.
    refetchOnWindowFocus: ({ state }) => awaitsDeposit(state) && 'always',
  })

/** The page of an order: the member's own, or the guests' look-up. */
export function useOrderHref(order: string): string {
  const page = useLoggedIn() ? '/mypage/orders-detail' : '/shop/lookup'
  return `${page}?order=${order}`
}
