// My returns.
import { OrderList } from '../OrderList'

export const Component = () => <OrderList filter="return" />
