// A day that members name as they like: the birthday, or the day a company was founded; with or without its year.
import { seoulDay } from '../../lib/seoul-day'

export const namedDayWords = {
  birthday: '생일',
  foundedAt: '설립일',
  hint: '적으면 그날에 쿠폰을 받을 수 있습니다. 1990-12-31처럼, 연도 없이 12-31처럼도 적을 수 있습니다.',
  invalid: '날짜를 1990-12-31 또는 12-31처럼 입력해 주세요.',
  future: '오늘이나 그 전의 날짜를 적어 주세요.',
} as const

/** 29 February is a day of every year people name. */
const LEAP_YEAR = '2000-'

/** As it is sent: `1990. 12. 31.` and `1990/12/31` are understood, too. */
export const namedDayText = (typed: string): string =>
  typed
    .trim()
    .replace(/\s*[./]\s*/g, '-')
    .replace(/-$/, '')

/** What is wrong with it; an empty one is none. */
export function namedDayFault(typed: string): string | undefined {
  const day = namedDayText(typed)
  if (day === '') return undefined
  const hasYear = /^\d{4}-\d{2}-\d{2}$/.test(day)
  const whole = hasYear ? day : LEAP_YEAR + day
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(whole) && new Date(`${whole}T00:00:00Z`).toJSON()?.startsWith(whole) === true
  if (!isDay) return namedDayWords.invalid
  return hasYear && day > seoulDay(0) ? namedDayWords.future : undefined
}
