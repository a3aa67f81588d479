// Joining as the server wants it: a company's registration copy goes first, and what it answers claims it.
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { idempotent, newIdempotencyKey } from '../../api/idempotency'
import type { RequestBody } from '../../api/openapiTypes'
import type { components } from '../../api/schema.gen'
import { handIn } from '../../features/documents/api'

type SignUp = RequestBody<components['schemas']['SignUp']>

/** One try after another to join; what earlier ones got is kept. */
export function createSignUpSubmitter() {
  /** The copy handed in last: it is handed in once, however often the form is sent. */
  let copy: { file: File; token: string } | undefined
  let last = { sent: '', key: '' }

  /** The same form is the same command: if the answer to it was lost, the next try gets it. */
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
      // It was handed in too long ago: once more, by itself.
      if (!wasKept) throw thrown
      await withCopy(body, file)
    }
  }
}
