// The calls of members' coupons and of coupons' figures, typed by hand until openapi.json has them (issue 26). Amounts are hundredths.
import type { components } from '../../api/schema.gen'
import type { ReceiversBody } from './pointsContract'

type S = components['schemas']

export type UserCouponState = 'HELD' | 'USED' | 'EXPIRED' | 'TAKEN'

/** One coupon in one member's box. */
export type UserCoupon = {
  _id: string
  _user: string
  /** Nothing once the member left. */
  username?: string | null
  name: string
  _coupon: string
  couponName: string
  unit: S['ValueUnit']
  /** Hundredths, or whole percent. */
  value: number
  limit?: number | null
  _seller?: string | null
  share: number
  state: UserCouponState
  round?: number | null
  issuedAt: string
  startsAt?: string | null
  /** The first moment it can no longer be used at. */
  endsAt?: string | null
  usedAt?: string | null
  _order?: string | null
  orderNo?: string | null
  /** What it took off that order. */
  discount?: number | null
  memo?: string | null
}

/** It, with its frozen terms in a sentence. */
export type UserCouponDetail = UserCoupon & { sentence: string }

/** Who would get a coupon, and what it would have cost. */
export type CouponReach = {
  sentence: string
  members: number
  /** No level: members without one. */
  byLevel: { level: string | null; members: number }[]
  /** Up to ten members. */
  sample: { _id: string; name: string }[]
  /** Over the orders of the last 30 days; an upper bound. */
  lastMonth: {
    orders: number
    discount: number
    sellers: number
    shop: number
    /** Only the newest orders were looked at. */
    partial: boolean
  }
}

/** What became of a coupon, from the log. */
export type CouponFigures = {
  issued: number
  /** Also those that came back. */
  used: number
  returned: number
  expired: number
  taken: number
  discount: number
  sellersShare: number
  shopShare: number
  /** What was paid for the orders it was used on. */
  revenue: number
}
export type CouponStatistics = CouponFigures & {
  byDay: { day: string; issued: number; used: number; discount: number }[]
}
export type CouponComparison = CouponFigures & { _coupon: string; name: string }

type Json<T> = { content: { 'application/json': T } }
type Of = { path: { id: string } }

declare module '../../api/schema.gen' {
  interface paths {
    '/api/console/users/coupons': {
      get: {
        parameters: {
          query?: {
            _user?: string
            _coupon?: string
            _order?: string
            state?: UserCouponState
            from?: string
            to?: string
          }
        }
        responses: { 200: Json<{ summary: S['Summary']; coupons: UserCoupon[] }> }
      }
      post: {
        requestBody: Json<ReceiversBody & { _coupon: string; _user?: string; memo: string }>
        responses: { 201: Json<object> }
      }
    }
    '/api/console/users/coupons/{id}': {
      get: { parameters: Of; responses: { 200: Json<{ coupon: UserCouponDetail }> } }
      put: {
        parameters: Of
        requestBody: Json<{ endsAt?: string; taken?: boolean; memo: string }>
        responses: { 200: Json<{ coupon: UserCoupon }> }
      }
      delete: { parameters: Of & { query?: { memo: string } }; responses: { 200: Json<{ coupon: UserCoupon }> } }
    }
    '/api/console/shop/coupons/reach': {
      post: { requestBody: Json<S['Coupon']>; responses: { 200: Json<CouponReach> } }
    }
    '/api/console/shop/coupons/statistics': {
      get: { parameters: object; responses: { 200: Json<{ summary: S['Summary']; statistics: CouponComparison[] }> } }
    }
    '/api/console/shop/coupons/{id}/statistics': {
      get: { parameters: Of; responses: { 200: Json<{ statistics: CouponStatistics }> } }
    }
  }
}
