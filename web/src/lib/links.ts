// Addresses entered in the console: internal pages or external sites.

/** Whether an address leads out of the shop. */
export function isExternal(url: string): boolean {
  try {
    return new URL(url, location.origin).origin !== location.origin
  } catch {
    return false
  }
}

/** The path within the shop of an address that may be absolute. */
export function innerPath(url: string): string {
  const { pathname, search, hash } = new URL(url, location.origin)
  return pathname + search + hash
}
