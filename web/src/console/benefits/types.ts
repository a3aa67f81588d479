// Names for types of the OpenAPI document that the pages of members' points and coupons share.
import type { components } from '../../api/schema.gen'

type S = components['schemas']

export type PointGrant = S['PointGrant']
export type GrantState = 'LEFT' | 'USED_UP' | 'EXPIRED'
export type BulkGrant = S['BulkPoints']
export type BulkGrantTrial = S['BulkPointsPreview']
export type CouponGrant = S['BulkCoupons']
export type CouponGrantTrial = S['BulkCouponsPreview']
export type RefusedMember = S['RefusedMember']
export type RefusalReason = S['RefusalReason']
export type Liability = S['Liability']

/** Who receives points: named in exactly one way. */
export type ReceiversBody = Pick<S['BulkPointsForm'], '_users' | 'usernames' | 'levels'>

export type UserCoupon = S['UserCoupon']
export type UserCouponState = S['UserCouponState']
export type UserCouponDetail = S['UserCouponDetail']
export type CouponReach = S['CouponReachAnswer']
export type CouponFigures = S['CouponStatistics']
export type CouponStatistics = S['CouponStatisticsDetail']
