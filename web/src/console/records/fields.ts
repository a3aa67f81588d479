// A record's form as a list of fields: what each is called, how it is typed, and how it gets in and out of the record's document.
import { formatMoney, parseMoney } from '../../lib/money'
import type { Rule } from '../../lib/validators'
import { words } from '../words'

/** A record as the server keeps it; the rest of its fields stay as they are. */
export type Document = Record<string, unknown>

type Option = { value: string; label: string }

/** A field of a form. `path` is its place in the document, e.g. `company.tel`. */
export type FieldDef = {
  path: string
  label: string
  hint?: string
  required?: boolean
  /** Checked before the server is asked. */
  rule?: Rule
  /** Only shown while this holds. */
  when?: (values: Values) => boolean
  /** Spans the form's width. */
  wide?: boolean
  /** May only be set once. */
  onceOnly?: boolean
} & (
  | { kind: 'text' | 'textarea' | 'money' | 'number' | 'bool' | 'moment' }
  /** Percent or amount, depending on the unit standing at `unit`. */
  | { kind: 'worth'; unit: string }
  | { kind: 'choice'; options: readonly Option[] }
  | { kind: 'many'; options: readonly Option[] }
)

export type Section = { title: string; fields: readonly FieldDef[] }

/** What is typed into a form, by path. */
export type Value = string | boolean | readonly string[]
export type Values = Record<string, Value>

/** The value at `path`, or undefined. */
export function at(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, key) => (part !== null && typeof part === 'object' ? (part as Document)[key] : undefined),
      document,
    )
}

/** A copy of the document with `value` at `path`. */
export function withAt(document: Document, path: string, value: unknown): Document {
  const [key = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...document, [key]: value }
  const inner = document[key]
  const part = inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? (inner as Document) : {}
  return { ...document, [key]: withAt(part, rest.join('.'), value) }
}

const plainMoney = (amount: number): string => formatMoney(amount, { sign: '', decimals: 2 })

const localMoment = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short', timeStyle: 'short' })

function typed(field: FieldDef, document: Document): Value {
  const value = at(document, field.path)
  switch (field.kind) {
    case 'bool':
      return value === true
    case 'many':
      return Array.isArray(value) ? value.map(String) : []
    case 'money':
      return typeof value === 'number' ? plainMoney(value) : ''
    case 'worth':
      if (typeof value !== 'number') return ''
      return at(document, field.unit) === 'AMOUNT' ? plainMoney(value) : String(value)
    case 'moment':
      return typeof value === 'string' ? localMoment.format(new Date(value)).replace(' ', 'T') : ''
    default:
      return value === undefined || value === null ? '' : String(value)
  }
}

/** The document as a form shows it. */
export const toValues = (fields: readonly FieldDef[], document: Document): Values =>
  Object.fromEntries(fields.map((field) => [field.path, typed(field, document)]))

const WHOLE = /^\d{1,9}$/

function parsed(field: FieldDef, values: Values): unknown {
  const value = values[field.path]
  if (typeof value !== 'string') return value
  const text = value.trim()
  const isMoney = field.kind === 'money' || (field.kind === 'worth' && values[field.unit] === 'AMOUNT')
  if (isMoney) return text === '' ? null : parseMoney(text)
  if (field.kind === 'number' || field.kind === 'worth')
    return text === '' ? null : WHOLE.test(text) ? Number(text) : undefined
  if (field.kind === 'moment') return text === '' ? null : `${text}:00+09:00`
  return text
}

/** What is wrong with what was typed, by path. */
export function faultsOf(fields: readonly FieldDef[], values: Values): Record<string, string> {
  const found: Record<string, string> = {}
  for (const field of fields) {
    if (field.when && !field.when(values)) continue
    const value = values[field.path]
    const text = typeof value === 'string' ? value : undefined
    const wrong =
      (field.required && text !== undefined && text.trim() === '' ? `${field.label}: 꼭 입력해 주세요.` : undefined) ??
      (text ? field.rule?.(text) : undefined) ??
      (parsed(field, values) === undefined && text !== undefined
        ? field.kind === 'money' || (field.kind === 'worth' && values[field.unit] === 'AMOUNT')
          ? words.record.money
          : words.record.number
        : undefined)
    if (wrong) found[field.path] = wrong
  }
  return found
}

const same = (a: Value | undefined, b: Value | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The paths a person has changed. */
export const changedPaths = (fields: readonly FieldDef[], before: Values, now: Values): string[] =>
  fields.filter((field) => !same(before[field.path], now[field.path])).map((field) => field.path)

/** The top-level fields of the document that the changed paths touch, with their new content. */
export function patch(
  fields: readonly FieldDef[],
  document: Document,
  values: Values,
  changed: readonly string[],
): Document {
  let whole = document
  for (const field of fields) {
    if (!changed.includes(field.path)) continue
    const value = parsed(field, values)
    const before = at(document, field.path)
    // An empty text where the record has nothing leaves it without.
    if (value === '' && (before === null || before === undefined)) continue
    whole = withAt(whole, field.path, value)
  }
  const touched = new Set(changed.map((path) => path.split('.')[0] ?? path))
  return Object.fromEntries(Object.entries(whole).filter(([key]) => touched.has(key)))
}

/** A value as people read it. */
export function shown(field: FieldDef | undefined, value: unknown, document: Document = {}): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? words.record.yes : words.record.no
  if (field) {
    if (field.kind === 'money' && typeof value === 'number') return formatMoney(value)
    if (field.kind === 'worth' && typeof value === 'number')
      return at(document, field.unit) === 'AMOUNT' ? formatMoney(value) : `${value}%`
    if (field.kind === 'choice') return field.options.find((option) => option.value === value)?.label ?? String(value)
    if (field.kind === 'many' && Array.isArray(value))
      return (
        value.map((one) => field.options.find((option) => option.value === one)?.label ?? String(one)).join(', ') || '-'
      )
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
