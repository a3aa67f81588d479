// Where bulk grants are read, and when they are read again.
import { invalidator } from '../../api/query'
import type { BulkGrant } from '../benefits/types'

export const BULK_GRANTS = '/api/console/shop/points'
export const BULK_GRANT = '/api/console/shop/points/{id}'

export const invalidateBulkGrants = invalidator([BULK_GRANTS, BULK_GRANT, '/api/console/users/points'])

/** Something is still to be given, or to be taken back. */
export const isGoing = ({ flags }: BulkGrant): boolean => !flags.done

/** How often a grant that is under way is looked at again, in milliseconds. */
const POLL_MS = 2000
export const pollWhile = (going: boolean): number | false => going && POLL_MS
