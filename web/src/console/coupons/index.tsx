// The coupons.
import { ResourceScreen } from '../crud/ListDetailPage'
import { coupon } from './resource'

export const Component = () => <ResourceScreen def={coupon} />
