// Where codes of coupons are made, read and stopped.

import { invalidator } from '../../api/query'
import type { components } from '../../api/schema.gen'

type S = components['schemas']

export type CodeBatch = S['CouponCodeBatch']
export type CodeOfBatch = S['CodeOfBatch']
export type CodeSheet = S['CodeSheet']
export type CodeTerms = S['CodeTerms']

export const CODE_BATCHES = '/api/console/shop/coupons/codes'
export const CODE_BATCH = '/api/console/shop/coupons/codes/{id}'
export const CODES = '/api/console/shop/coupons/codes/{id}/list'
export const CODE_SHEET = '/api/console/shop/coupons/codes/{id}/sheet'
export const CODE_FILE = '/api/console/shop/coupons/codes/{id}/export'

export const invalidateCodes = invalidator([CODE_BATCHES, CODE_BATCH, CODES, CODE_SHEET])

/** The kind of ledger of a batch. */
export const CODE_STREAM = 'coupon-code-batch'

/** Where a batch is shown. */
export const batchPath = (id: string): string => `/console/shop/coupon-codes?id=${id}`
/** The codes of a coupon. */
export const codesPath = (coupon: string): string => `/console/shop/coupon-codes?_coupon=${coupon}`
