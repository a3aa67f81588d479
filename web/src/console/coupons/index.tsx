// The coupons.
import { ResourceScreen } from '../kit/ResourceScreen'
import { coupon } from '../resources/coupon'

export const Component = () => <ResourceScreen def={coupon} />
