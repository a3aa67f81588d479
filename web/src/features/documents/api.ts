// Documents that companies uploaded while joining.
import { call } from '../../api/client'
import { download } from '../../api/download'
import { ApiError, toApiError } from '../../api/errors'
import type { components } from '../../api/schema.gen'

/** A document that a member has uploaded. */
export type MemberDocument = components['schemas']['DocumentView']

/** All members' documents, for staff. */
export const DOCUMENTS = '/api/console/documents'
export const MY_DOCUMENTS = '/api/v1/me/documents'
export const ONE_DOCUMENT = `${MY_DOCUMENTS}/{id}` as const

/** The content. Only its owner and staff may read it, with their token, so a page cannot link to it. */
export const readDocument = async (id: string, signal?: AbortSignal): Promise<Blob> =>
  (await download(ONE_DOCUMENT, { path: { id }, signal })).blob

/** The server's name of the join form's field for a registration copy. */
const COPY = 'registrationToken'

/** Uploads a registration copy; returns the token that claims it when joining, valid for an hour. A refusal belongs to the field. */
export async function handIn(file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file, file.name)
  try {
    const { document } = await call('POST', '/api/v1/users/documents', { body })
    return document.token
  } catch (thrown) {
    const { status, code, told, requestId } = toApiError(thrown)
    throw new ApiError(status, code, told, [{ field: COPY, code, message: told }], requestId)
  }
}
