// Signs up in the server's order: a company's registration copy is uploaded first, and the sign-up refers to it by its token.
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { idempotent, newIdempotencyKey } from '../../api/idempotency'
import type { RequestBody } from '../../api/openapiTypes'
import type { components } from '../../api/schema.gen'
import { handIn } from '../../features/documents/api'

type SignUp = RequestBody<components['schemas']['SignUp']>

/** Submitter for repeated attempts to join; results of earlier attempts are kept. */
export function createSignUpSubmitter() {
  /** The last uploaded copy: each file is uploaded once, however often the form is sent. */
  let copy: { file: File; token: string } | undefined
  let last = { sent: '', key: '' }

  /** The same form reuses its idempotency key: if the response was lost, the retry returns it. */
  const send = async (body: SignUp): Promise<void> => {
    const sent = JSON.stringify(body)
    if (last.sent !== sent) last = { sent, key: newIdempotencyKey() }
    await call('POST', '/api/v1/users', { body, headers: idempotent(last.key) })
  }

  const withCopy = async (body: SignUp, file: File): Promise<void> => {
    copy = copy?.file === file ? copy : { file, token: await handIn(file) }
    await send({ ...body, registrationToken: copy.token })
  }

  return async (body: SignUp, file: File | undefined): Promise<void> => {
    if (!file) return send(body)
    const wasKept = copy?.file === file
    try {
      await withCopy(body, file)
    } catch (thrown) {
      if (!toApiError(thrown).field('registrationToken')) throw thrown
      copy = undefined
      // A stored token has expired: upload the file again, once.
      if (!wasKept) throw thrown
      await withCopy(body, file)
    }
  }
}
