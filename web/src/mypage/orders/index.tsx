// My orders, by the filter of the address.
import { Navigate, useSearchParams } from 'react-router'
import { filterOf, OrderList } from './OrderList'
import { ordersHref } from './ordersHref'

export function Component() {
  const [params] = useSearchParams()
  const filter = filterOf(params)
  // Addresses from before these lists had their own.
  if (filter === 'cancel' || filter === 'return') {
    const { months, step } = Object.fromEntries(params)
    return <Navigate replace to={ordersHref(filter, { months, step })} />
  }
  return <OrderList filter={filter} />
}
