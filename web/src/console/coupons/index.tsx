// The coupons, and how they compare.
import { missing, optional } from '../../ui/Optional'
import { ListDetailPage } from '../crud/ListDetailPage'
import { coupon } from './resource'

const Comparison = optional(() => import('./Comparison'), { instead: missing })

export const Component = () => <ListDetailPage def={coupon} below={<Comparison />} />
