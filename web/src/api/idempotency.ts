// Idempotency keys: the same key with the same body is one command, however often it is sent.
import { useCallback, useState } from 'react'

/** A random key. `crypto.randomUUID` is missing on plain http, so it is built from random bytes. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (b, i) => {
    if (i === 6) return ((b & 0x0f) | 0x40).toString(16).padStart(2, '0')
    if (i === 8) return ((b & 0x3f) | 0x80).toString(16).padStart(2, '0')
    return b.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The header for a POST that moves goods or money. */
export const idempotent = (key: string): { 'Idempotency-Key': string } => ({ 'Idempotency-Key': key })

/**
 * One key per intention: it stays the same when the user presses the button again after a failure, and `renew` creates the next one
 * (after success, or when the body changed).
 */
export function useIdempotencyKey(): [key: string, renew: () => void] {
  const [key, setKey] = useState(newIdempotencyKey)
  return [key, useCallback(() => setKey(newIdempotencyKey()), [])]
}
