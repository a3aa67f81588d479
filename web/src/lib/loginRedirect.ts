// Where to go after logging in: only addresses of this shop.

/** A path of our own, or home. `//elsewhere.example` and `/\elsewhere` would leave the shop. */
export const safeRedirect = (next: string | null): string => (next && /^\/(?![/\\])/.test(next) ? next : '/')

/** The login page that comes back here afterwards. */
export const loginPath = (from: string): string =>
  from === '/' || from.startsWith('/login') ? '/login' : `/login?next=${encodeURIComponent(from)}`
