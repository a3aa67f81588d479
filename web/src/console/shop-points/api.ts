// Where bulk grants are read and changed, and when they are read again.
import { call } from '../../api/client'
import { invalidator } from '../../api/query'
import type { BulkGrant, CouponGrant } from '../benefits/types'

export const BULK_GRANTS = '/api/console/shop/points'
export const BULK_GRANT = '/api/console/shop/points/{id}'
export const COUPON_GRANTS = '/api/console/shop/coupons/grants'
export const COUPON_GRANT = '/api/console/shop/coupons/grants/{id}'
export const REFUSED = '/api/console/bulk-grants/{id}/refused'

/** What a bulk grant gives. */
export type GrantKind = 'points' | 'coupons'

/** What bulk grants of points and of coupons have in common. */
export type AnyGrant = Pick<
  CouponGrant,
  '_id' | 'memo' | 'note' | 'members' | 'given' | 'leftOut' | 'flags' | 'createdAt' | 'createdBy'
> & { refused?: number }

export const invalidateBulkGrants = invalidator([
  BULK_GRANTS,
  BULK_GRANT,
  COUPON_GRANTS,
  COUPON_GRANT,
  REFUSED,
  '/api/console/users/points',
  '/api/console/users/coupons',
])

/** Writes the shop's own note on a bulk grant. */
export const noteGrant = (kind: GrantKind, id: string, memo: string): Promise<unknown> => {
  const of = { path: { id }, body: { memo } }
  return kind === 'points' ? call('PUT', BULK_GRANT, of) : call('PUT', COUPON_GRANT, of)
}

/** Stops a bulk grant and takes back what is left of it. */
export const stopGrant = (kind: GrantKind, id: string, memo: string): Promise<unknown> => {
  const of = { path: { id }, query: { memo } }
  return kind === 'points' ? call('DELETE', BULK_GRANT, of) : call('DELETE', COUPON_GRANT, of)
}

/** Where a bulk grant is shown. */
export const grantPath = (kind: GrantKind, id: string): string =>
  `/console/shop/points?${kind === 'coupons' ? 'tab=coupons&' : ''}id=${id}`

/** Something is still to be given, or to be taken back. */
export const isGoing = ({ flags }: Pick<AnyGrant, 'flags'>): boolean => !flags.done

/** Whether there is something to stop, or something left to take back. */
export const canStop = (grant: BulkGrant | CouponGrant): boolean => {
  const left = 'amount_left' in grant ? grant.amount_left : grant.issued - grant.used - grant.taken
  return !grant.flags.stopped && (isGoing(grant) || left > 0)
}

/** How often a grant that is under way is looked at again, in milliseconds. */
const POLL_MS = 2000
export const pollWhile = (going: boolean): number | false => going && POLL_MS
