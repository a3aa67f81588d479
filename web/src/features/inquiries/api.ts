// ConfirmHost about products (the wire says inquires).
import { invalidator } from '../../api/query'

export const INQUIRES = '/api/v1/shop/inquires'
export const MY_INQUIRES = '/api/v1/me/inquires'

export const MAX_SUBJECT_LENGTH = 100
export const MAX_CONTENT_LENGTH = 2000

/** After an inquiry was made, changed or taken back. */
export const invalidateInquiries = invalidator([INQUIRES, MY_INQUIRES, `${MY_INQUIRES}/{id}`])
