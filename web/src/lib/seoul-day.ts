// Days as the shop counts them: they begin at midnight in Seoul, which knows no summer time.

const SEOUL_MS = 9 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** The moment a Seoul day began, RFC 3339; 0 is today, -1 yesterday. */
export function seoulDay(days: number, now: number = Date.now()): string {
  const today = Math.floor((now + SEOUL_MS) / DAY_MS) * DAY_MS - SEOUL_MS
  return new Date(today + days * DAY_MS).toISOString()
}
