// Looks into an access token for one thing: has it run out? The server alone judges whether it is genuine.

/** Milliseconds since 1970 at which the token ends; undefined when it does not say (then the server's 401 will). */
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
