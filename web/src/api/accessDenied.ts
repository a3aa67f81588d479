// The message for a missing permission: the specification's text (V152, V153), then in Korean which permission is missing.
import { ko } from '../i18n/ko'

/** `Access denied`, followed by what is missing. */
export const accessDeniedMessage = (missing: string): string => `${ko.session.accessDenied}. ${missing}`

/** The scopes named in a refusal of the server. */
export function scopesOf(details: unknown): readonly string[] {
  const scopes = typeof details === 'object' && details !== null && 'scopes' in details ? details.scopes : undefined
  return Array.isArray(scopes) ? scopes.map(String) : []
}
