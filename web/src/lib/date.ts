// Dates in Seoul's time zone and Korean format (spec V037), and the distance of a moment from now (spec V294-V300).
import { timeWords } from '../i18n/timeWords'

const zone = 'Asia/Seoul'
const DAY_PARTS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
const TIME_PARTS = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const STYLES = {
  date: DAY_PARTS,
  weekday: { ...DAY_PARTS, weekday: 'short' },
  datetime: { ...DAY_PARTS, ...TIME_PARTS },
  second: { ...DAY_PARTS, ...TIME_PARTS, second: '2-digit' },
  time: { ...TIME_PARTS, second: '2-digit' },
  long: { month: 'long', day: 'numeric', weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** `date` 2026. 03. 02. · `weekday` adds (월) · `datetime` adds hour, minute · `second` seconds (audit) · `time` only that · `long` 3월 2일 (월). */
export type DateStyle = keyof typeof STYLES

/** Created on first use: creation is slow in browsers. */
const formats = new Map<DateStyle, Intl.DateTimeFormat>()
function formatOf(style: DateStyle): Intl.DateTimeFormat {
  const format = formats.get(style) ?? new Intl.DateTimeFormat('ko-KR', { timeZone: zone, ...STYLES[style] })
  formats.set(style, format)
  return format
}

/** A moment as text in Seoul's time; an invalid one is shown as a dash. */
export function formatDate(moment: string | number | Date, style: DateStyle = 'date'): string {
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? '-' : formatOf(style).format(date)
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The last moment before an exclusive end: what ends at midnight was valid until the day before. */
export const lastMoment = (end: string): number => new Date(end).getTime() - 1

/** How long ago: just now, minutes, hours, days up to 7, weeks up to 366 days, years (spec V294-V299); the same rule as the server's. */
export function relativeTime(moment: string | number | Date, now: number = Date.now()): string {
  const t = timeWords
  const gone = now - new Date(moment).getTime()
  if (Number.isNaN(gone)) return '-'
  if (gone < MINUTE) return t.justNow
  if (gone < HOUR) return t.minutes(Math.floor(gone / MINUTE))
  if (gone < DAY) return t.hours(Math.floor(gone / HOUR))
  const days = Math.floor(gone / DAY)
  if (days <= 7) return t.days(days)
  if (days <= 366) return t.weeks(Math.floor(days / 7))
  return t.years(Math.floor(days / 365))
}

/** The time left until a moment; below one second it has ended (spec V300). */
export function timeLeft(until: string | number | Date, now: number = Date.now()): string {
  const t = timeWords
  const left = new Date(until).getTime() - now
  if (Number.isNaN(left)) return '-'
  if (left < SECOND) return t.ended
  if (left < MINUTE) return t.leftSeconds(Math.floor(left / SECOND))
  if (left < HOUR) return t.leftMinutes(Math.floor(left / MINUTE))
  if (left < DAY) return t.leftHours(Math.floor(left / HOUR))
  return t.leftDays(Math.floor(left / DAY))
}
