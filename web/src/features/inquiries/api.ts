// Questions about products (named inquires on the wire).
import { invalidator } from '../../api/query'

export const INQUIRES = '/api/v1/shop/inquires'
export const MY_INQUIRES = '/api/v1/me/inquires'

export const MAX_SUBJECT_LENGTH = 100
export const MAX_CONTENT_LENGTH = 2000

/** Call after an inquiry was created, edited or deleted. */
export const invalidateInquiries = invalidator([INQUIRES, MY_INQUIRES, `${MY_INQUIRES}/{id}`])
