// Small cookies that expire by themselves.

/** The value of a cookie, or undefined. */
export function cookie(name: string): string | undefined {
  const start = `${encodeURIComponent(name)}=`
  const found = document.cookie.split('; ').find((part) => part.startsWith(start))
  return found === undefined ? undefined : decodeURIComponent(found.slice(start.length))
}

/** Sets a cookie for this many seconds; without them it ends with the browser's session. */
export function setCookie(name: string, value: string, seconds?: number): void {
  const end = seconds === undefined ? '' : ` max-age=${seconds};`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `${encodeURIComponent(name)}=${encodeURIComponent(value)}; path=/;${end} samesite=lax`
}
