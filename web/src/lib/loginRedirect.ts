// The redirect after logging in: only addresses of this shop.
import { useLocation } from 'react-router'

/** A path of this shop, or home. `//elsewhere.example` and `/\elsewhere` would leave the shop. */
export const safeRedirect = (next: string | null): string => (next && /^\/(?![/\\])/.test(next) ? next : '/')

/** The login page that redirects back here. */
export const loginPath = (from: string): string =>
  from === '/' || /^\/(login|join)\b/.test(from) ? '/login' : `/login?next=${encodeURIComponent(from)}`

/** The login page that redirects back to the current page. */
export function useLoginPath(): string {
  const { pathname, search } = useLocation()
  return loginPath(pathname + search)
}
