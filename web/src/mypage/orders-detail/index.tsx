// One order of the member, by `?order=` (its id or number).
import { OrderPage } from '../orders/OrderPage'
import { OrderView } from './OrderView'

export function Component() {
  return (
    <OrderPage title="주문 상세" tabTitle={({ orderNo }) => `주문 ${orderNo}`}>
      {(order) => <OrderView order={order} />}
    </OrderPage>
  )
}
