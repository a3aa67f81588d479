// Decodes an access token to check its expiry only. Its validity is up to the server.

/** Expiry in milliseconds since 1970; undefined if the token has none (then the server's 401 decides). */
export function expiresAt(token: string): number | undefined {
  const body = token.split('.')[1]
  if (!body) return undefined
  try {
    const claims: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
