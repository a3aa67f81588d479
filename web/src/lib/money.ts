// The only place with currency rules: amounts are integer hundredths and are shown in the shop's currency (spec V263, V264).
import { grouped } from '../i18n/number'

/** How amounts are shown: the sign and the number of decimals. */
export type Currency = { sign: string; decimals: number }

/** The site setting's `currency`: ISO 4217, the decimals a gateway expects, and the rounding step in hundredths. */
export type CurrencySetting = { code: string; exponent?: number; step?: number }

const DECIMALS = 2
const DOLLARS: Currency = { sign: '$', decimals: DECIMALS }
let current: Currency = DOLLARS

/** `USD` -> `$`; letters are separated from the number by a space. */
function signOf(code: string): string {
  try {
    const parts = new Intl.NumberFormat('ko-KR', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
    const sign = parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code
    return /\p{L}$/u.test(sign) ? `${sign} ` : sign
  } catch {
    // Not a currency code.
    return DOLLARS.sign
  }
}

/** Takes over the site setting's currency; false if it has not changed. */
export function setCurrency({ code, exponent = DECIMALS }: CurrencySetting): boolean {
  const next = { sign: signOf(code), decimals: Math.min(DECIMALS, Math.max(0, exponent)) }
  const isOther = next.sign !== current.sign || next.decimals !== current.decimals
  current = next
  return isOther
}

/** The sign before an amount. */
export const moneySign = (): string => current.sign

/** Hundredths in the smallest amount that can be typed: 1 for dollars, 100 for won. */
const unitOf = ({ decimals }: Currency): number => 10 ** (DECIMALS - decimals)

/**
 * `129000` -> `$1,290.00`; a minus precedes the sign. Amounts finer than the currency's decimals are printed in full. Only integer
 * hundredths are amounts: anything else is a bug of the caller.
 */
export function formatMoney(hundredths: number, currency: Currency = current): string {
  if (!Number.isSafeInteger(hundredths)) throw new RangeError(`not an amount: ${hundredths}`)
  const size = Math.abs(hundredths)
  const rest = size % 100
  const whole = `${hundredths < 0 ? '-' : ''}${currency.sign}${grouped((size - rest) / 100)}`
  const decimals = rest % unitOf(currency) === 0 ? currency.decimals : DECIMALS
  return decimals === 0 ? whole : `${whole}.${String(rest).padStart(DECIMALS, '0').slice(0, decimals)}`
}

/** An amount for an input: without the sign. */
export const formatPlain = (hundredths: number): string => formatMoney(hundredths, { ...current, sign: '' })

/** Parses input (`1,290.5`, `$12`) to hundredths; undefined when it is no amount, or finer than the currency. */
export function parseMoney(text: string, currency: Currency = current): number | undefined {
  const bare = text.trim()
  const sign = currency.sign.trim()
  const number = bare.startsWith(sign) ? bare.slice(sign.length) : bare.replace(/^[$₩]/, '')
  const match = /^\s*(\d[\d,]*)(?:\.(\d{1,2}))?$/.exec(number)
  if (!match?.[1]) return undefined
  const hundredths = Number(match[1].replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(DECIMALS, '0'))
  return Number.isSafeInteger(hundredths) && hundredths % unitOf(currency) === 0 ? hundredths : undefined
}
