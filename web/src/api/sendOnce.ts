// Sends commands idempotently, so that a lost response does not lead to a second one: claims, points, coupons.
import { useCallback, useRef } from 'react'
import { toApiError } from './errors'
import { idempotent, newIdempotencyKey } from './idempotency'

type Sender = <A>(body: unknown, send: (headers: Record<string, string>) => Promise<A>) => Promise<A>

/**
 * Sends a body with an idempotency key: the same body is retried as the same command, any other body is a new command.
 */
export function useIdempotentSend(): Sender {
  const unanswered = useRef<{ body: string; key: string }>(undefined)
  return useCallback(async (body, send) => {
    const text = JSON.stringify(body)
    const key = unanswered.current?.body === text ? unanswered.current.key : newIdempotencyKey()
    unanswered.current = { body: text, key }
    try {
      const answer = await send(idempotent(key))
      unanswered.current = undefined
      return answer
    } catch (thrown) {
      if (toApiError(thrown).status !== 0) unanswered.current = undefined
      throw thrown
    }
  }, [])
}
