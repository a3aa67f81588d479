// The paths of a buyer's order calls, and the reads to invalidate after an order changed.
import { invalidator } from '../../api/query'
import { MY_ORDER } from '../../features/orders/useOrder'
import { WRITABLE } from '../../features/reviews/api'
import { MY_COUPONS, MY_POINTS } from '../benefits'

export const MY_ORDERS = '/api/v1/me/orders'

/** After a purchase was confirmed, canceled or returned: reviews, points and coupons change with it. */
export const invalidateOrders = invalidator([MY_ORDERS, MY_ORDER, WRITABLE, MY_POINTS, MY_COUPONS])
