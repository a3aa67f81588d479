// Parses typed text into values; the only place that decides whether text is valid.
import { formatMoney, formatPlain, parseMoney } from '../../lib/money'
import { recordWords } from './words'

const t = recordWords

/** Types whose values are typed as text and parsed. */
export type EntryType = 'amount' | 'integer' | 'percent' | 'color'

/** Minimum and maximum of a number; hundredths for amounts. */
export type Limits = { min?: number | null; max?: number | null }

/**
 * Replaces the value in a draft where the input is invalid, whatever control it is from. A draft that contains one is not saved
 * (`invalidIn`).
 */
export type InvalidEntry = { readonly $typed: string; readonly $fault: string }

export const invalidEntry = (typed: string, fault: string): InvalidEntry => ({ $typed: typed, $fault: fault })

export const isInvalid = (value: unknown): value is InvalidEntry =>
  typeof value === 'object' && value !== null && '$fault' in value && '$typed' in value

/** Every invalid entry of a draft, by its path, with its error. */
export function invalidIn(value: unknown, path = ''): Record<string, string> {
  if (isInvalid(value)) return { [path]: value.$fault }
  if (typeof value !== 'object' || value === null) return {}
  const parts = Object.entries(value).map(([key, part]) => invalidIn(part, path === '' ? key : `${path}.${key}`))
  return Object.assign({}, ...parts)
}

const WHOLE = /^-?(\d{1,9}|\d{1,3}(,\d{3}){1,2})$/
const COLOUR = /^#[0-9a-f]{6}$/i
const PERCENT: Limits = { min: 0, max: 100 }

const read: Record<Exclude<EntryType, 'color'>, (text: string) => number | undefined> = {
  amount: (text) => parseMoney(text),
  integer: (text) => (WHOLE.test(text) ? Number(text.replaceAll(',', '')) : undefined),
  percent: (text) => (WHOLE.test(text) ? Number(text) : undefined),
}

/** Parses a text: null if it is empty, an invalid entry if it cannot be parsed. */
export function entryOf(type: 'color', typed: string): string | null | InvalidEntry
export function entryOf(type: Exclude<EntryType, 'color'>, typed: string, limits?: Limits): number | null | InvalidEntry
export function entryOf(type: EntryType, typed: string, limits: Limits = {}): string | number | null | InvalidEntry {
  const text = typed.trim()
  const fault = (message: string) => invalidEntry(typed, message)
  if (text === '') return null
  if (type === 'color') return COLOUR.test(text) ? text : fault(t.color)
  const number = read[type](text)
  if (number === undefined) return fault(type === 'amount' ? t.money(formatPlain(129_000)) : t.number)
  const { min, max } = type === 'percent' ? { ...PERCENT, ...definedOf(limits) } : limits
  const shows = (limit: number) => (type === 'amount' ? formatMoney(limit) : String(limit))
  if (typeof min === 'number' && number < min) return fault(t.atLeast(shows(min)))
  if (typeof max === 'number' && number > max) return fault(t.atMost(shows(max)))
  return number
}

const definedOf = ({ min, max }: Limits): Limits => ({
  ...(typeof min === 'number' && { min }),
  ...(typeof max === 'number' && { max }),
})

/** The text shown in a value's input. */
export function entryText(type: EntryType, value: unknown): string {
  if (isInvalid(value)) return value.$typed
  if (type === 'amount') return typeof value === 'number' ? formatPlain(value) : ''
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}
