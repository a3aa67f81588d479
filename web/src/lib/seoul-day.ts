// The shop's days: they begin at midnight in Seoul, which has no daylight saving time.

const SEOUL_MS = 9 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const DATE_LETTERS = 'YYYY-MM-DD'.length

/** A Seoul day, YYYY-MM-DD; 0 is today, -1 yesterday. */
export const seoulDay = (days: number, now: number = Date.now()): string =>
  new Date(now + SEOUL_MS + days * DAY_MS).toISOString().slice(0, DATE_LETTERS)
