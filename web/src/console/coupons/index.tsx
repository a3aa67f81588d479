// The coupons.
import { ListDetailPage } from '../crud/ListDetailPage'
import { coupon } from './resource'

export const Component = () => <ListDetailPage def={coupon} />
