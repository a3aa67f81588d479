// My cancellations.
import { OrderList } from '../OrderList'

export const Component = () => <OrderList filter="cancel" />
