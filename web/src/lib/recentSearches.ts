// Recent search terms: at most five, in a cookie for a day (spec V163, V242, V243).

const COOKIE = 'searches'
const DAY_SECONDS = 86_400
const KEPT_BEFORE_NEW = 4

/** Newest first. */
export function recentSearches(): string[] {
  const raw = document.cookie.split('; ').find((part) => part.startsWith(`${COOKIE}=`))
  if (!raw) return []
  try {
    const terms: unknown = JSON.parse(decodeURIComponent(raw.slice(COOKIE.length + 1)))
    return Array.isArray(terms) ? terms.filter((term) => typeof term === 'string') : []
  } catch {
    return []
  }
}

function keep(terms: string[]): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `${COOKIE}=${encodeURIComponent(JSON.stringify(terms))}; path=/; max-age=${DAY_SECONDS}; samesite=lax`
}

/** Adds a term in front and drops the oldest beyond five. */
export function rememberSearch(term: string): void {
  const others = recentSearches().filter((known) => known !== term)
  keep([term, ...others.slice(0, KEPT_BEFORE_NEW)])
}

export function forgetSearch(term: string): void {
  keep(recentSearches().filter((known) => known !== term))
}

/** Also called at logout. */
export function forgetSearches(): void {
  keep([])
}
