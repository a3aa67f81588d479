// Where to go after logging in: only addresses of this shop.
import { useLocation } from 'react-router'

/** A path of our own, or home. `//elsewhere.example` and `/\elsewhere` would leave the shop. */
export const safeRedirect = (next: string | null): string => (next && /^\/(?![/\\])/.test(next) ? next : '/')

/** The login page that comes back here afterwards. */
export const loginPath = (from: string): string =>
  from === '/' || /^\/(login|join)\b/.test(from) ? '/login' : `/login?next=${encodeURIComponent(from)}`

/** The login page that comes back to where the reader is. */
export function useLoginPath(): string {
  const { pathname, search } = useLocation()
  return loginPath(pathname + search)
}
