// Documents that companies uploaded while joining.
import { call } from '../../api/client'
import { download } from '../../api/download'
import { ApiError, toApiError } from '../../api/errors'
import type { components } from '../../api/schema.gen'

/** A document a member has handed in. */
export type MemberDocument = components['schemas']['DocumentView']

/** All members' documents, for staff. */
export const DOCUMENTS = '/api/console/documents'
export const MY_DOCUMENTS = '/api/v1/me/documents'
export const ONE_DOCUMENT = `${MY_DOCUMENTS}/{id}` as const

/** What is in it. Only its owner and staff get an answer, so it has no address of its own that a page could show. */
export const readDocument = async (id: string, signal?: AbortSignal): Promise<Blob> =>
  (await download(ONE_DOCUMENT, { path: { id }, signal })).blob

/** The field of the join form that a registration copy belongs to, by the server's name. */
const COPY = 'registrationToken'

/** Hands a registration copy in; answers what claims it when joining, for an hour. A refusal is the field's. */
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
