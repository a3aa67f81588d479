// The message for a missing permission: the specification's words (V152, V153), then in Korean which one is missing.
import { ko } from '../i18n/ko'

/** `Access denied`, with what is missing behind it. */
export const accessDeniedMessage = (missing: string): string => `${ko.session.accessDenied}. ${missing}`

/** The scopes a refusal of the server names. */
export function scopesOf(details: unknown): readonly string[] {
  const scopes = typeof details === 'object' && details !== null && 'scopes' in details ? details.scopes : undefined
  return Array.isArray(scopes) ? scopes.map(String) : []
}
