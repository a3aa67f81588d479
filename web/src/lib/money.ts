// The currency rule, and nowhere else: amounts are whole hundredths and are shown in the shop's currency (spec V263, V264).
import { grouped } from '../i18n/number'

/** How amounts are shown: the sign and how many of the two decimals are printed. */
export type Currency = { sign: string; decimals: 0 | 2 }

const SIGNS: Record<string, Currency> = {
  USD: { sign: '$', decimals: 2 },
  KRW: { sign: '₩', decimals: 0 },
}

const DOLLARS: Currency = { sign: '$', decimals: 2 }
let current: Currency = DOLLARS

/** Takes over the site setting `currency.code`; an unknown code leaves dollars. */
export function setCurrency(code: string): void {
  current = SIGNS[code] ?? DOLLARS
}

/** What stands before an amount. */
export const moneySign = (): string => current.sign

/** `129000` -> `$1,290.00`; a minus stands before the sign. Only whole hundredths are amounts: anything else is a fault of the caller. */
export function formatMoney(hundredths: number, currency: Currency = current): string {
  if (!Number.isSafeInteger(hundredths)) throw new RangeError(`not an amount: ${hundredths}`)
  const size = Math.abs(hundredths)
  const rest = size % 100
  const whole = grouped((size - rest) / 100)
  const minus = hundredths < 0 ? '-' : ''
  if (currency.decimals === 0 && rest === 0) return `${minus}${currency.sign}${whole}`
  return `${minus}${currency.sign}${whole}.${String(rest).padStart(2, '0')}`
}

/** What a person typed (`1,290.5`, `$12`) -> hundredths; undefined when it is no amount. */
export function parseMoney(text: string): number | undefined {
  const match = /^[$₩]?\s*(\d[\d,]*)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match?.[1]) return undefined
  const hundredths = Number(match[1].replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return Number.isSafeInteger(hundredths) ? hundredths : undefined
}
