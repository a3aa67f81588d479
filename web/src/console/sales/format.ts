// Formats numbers of a plot: in full, and short for an axis.
import { grouped } from '../../i18n/number'
import { formatMoney, moneySign } from '../../lib/money'
import type { Unit } from './types'
import { salesWords } from './words'

const { count } = salesWords

export const formatCount: Record<Unit, (value: number) => string> = {
  amount: formatMoney,
  orders: (n) => count.orders(grouped(n)),
  pieces: (n) => count.pieces(grouped(n)),
  coupons: (n) => count.coupons(grouped(n)),
}

const whole = new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat('ko-KR', { notation: 'compact', maximumFractionDigits: 2 })
/** From here on numbers are in units of 만. */
const MANY = 10_000
const short = (n: number): string => (n < MANY ? whole : compact).format(n)

export const formatShort: Record<Unit, (value: number) => string> = {
  amount: (hundredths) => moneySign() + short(hundredths / 100),
  orders: (n) => count.orders(short(n)),
  pieces: (n) => count.pieces(short(n)),
  coupons: (n) => count.coupons(short(n)),
}
