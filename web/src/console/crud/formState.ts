// A record's document and the form state over it. A draft is the document with text for typed values (amounts, numbers, timestamps).
import { formatMoney } from '../../lib/money'
import { entryOf, entryText, invalidIn, isInvalid } from './entry'
import { type Field, optionLabel } from './schema'
import { recordWords } from './words'

/** A record as stored on the server; fields that a form does not know are kept. */
export type Document = Record<string, unknown>

const t = recordWords

export const isDocument = (value: unknown): value is Document =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The value at `path`, or undefined. Numbers in a path are list indexes. */
export function getIn(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, key) => (part !== null && typeof part === 'object' ? (part as Document)[key] : undefined),
      document,
    )
}

function within(part: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (Array.isArray(part)) return part.map((item, i) => (String(i) === key ? within(item, rest, value) : item))
  const whole = isDocument(part) ? part : {}
  return { ...whole, [key]: within(whole[key], rest, value) }
}

/** A copy of the document with `value` at `path`. */
export const setIn = (document: Document, path: string, value: unknown): Document =>
  within(document, path.split('.'), value) as Document

function without(document: Document, path: string): Document {
  const [key = '', ...rest] = path.split('.')
  const { [key]: inner, ...others } = document
  return rest.length === 0
    ? others
    : isDocument(inner)
      ? { ...others, [key]: without(inner, rest.join('.')) }
      : document
}

/** Identity of list items while they are reordered. Never sent. */
export const KEY = '$key'
let keys = 0
export const newItem = (item: Document = {}): Document => {
  keys += 1
  return { ...item, [KEY]: keys }
}

/** A point as maps write it: latitude, then longitude. */
const pointText = (value: unknown): string =>
  isDocument(value) && typeof value.latitude === 'number' && typeof value.longitude === 'number'
    ? `${value.latitude}, ${value.longitude}`
    : ''

const POINT = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/

const localMoment = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short', timeStyle: 'short' })

function toFormValue(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'amount':
    case 'integer':
    case 'percent':
      return typeof value === 'number' ? entryText(field.type, value) : ''
    case 'boolean':
      return value === true
    case 'datetime':
      return typeof value === 'string' && value !== '' ? localMoment.format(new Date(value)).replace(' ', 'T') : ''
    case 'json':
      return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
    case 'point':
      return pointText(value)
    case 'list':
      return Array.isArray(value) ? value.map((item) => newItem(toDraft(field.of ?? [], item as Document))) : []
    case 'tags':
    case 'references':
    case 'images':
      return Array.isArray(value) ? value : []
    case 'numbers':
      return Array.isArray(value) ? value.map(String) : []
    case 'image':
    case 'file':
      return value ?? null
    default:
      return value === undefined || value === null ? '' : String(value)
  }
}

/** The document as shown by a form. */
export function toDraft(fields: readonly Field[], document: Document): Document {
  return fields.reduce(
    (draft, field) => setIn(draft, field.name, toFormValue(field, getIn(document, field.name))),
    document,
  )
}

/** Converts input to the server's format, or returns the errors. Errors of list items include their index. */
function parseFormValue(field: Field, value: unknown, path: string, faults: Record<string, string>): unknown {
  const fault = (message: string) => {
    faults[path] = message
    return undefined
  }
  if (isInvalid(value)) return fault(value.$fault)
  const text = typeof value === 'string' ? value.trim() : undefined
  const empty =
    text === '' || value === null || (Array.isArray(value) && value.length === 0) || (isDocument(value) && !value.url)
  if (field.required && empty && field.type !== 'boolean') return fault(t.required(field.label))
  const most = field.maxLength ?? Number.POSITIVE_INFINITY
  const texts = field.type === 'tags' ? (value as string[]) : text === undefined ? [] : [text]
  if (texts.some((one) => one.length > most)) return fault(t.tooLong(most))
  switch (field.type) {
    case 'amount':
    case 'integer':
    case 'percent': {
      const entry = entryOf(field.type, text ?? '', field)
      return isInvalid(entry) ? fault(entry.$fault) : entry
    }
    case 'color': {
      const entry = entryOf(field.type, text ?? '')
      return isInvalid(entry) ? fault(entry.$fault) : (entry ?? '')
    }
    case 'datetime':
      return text === '' ? null : `${text}:00+09:00`
    case 'date':
    case 'enum':
    case 'reference':
      return text === '' ? null : value
    case 'point': {
      if (text === '') return null
      const [, latitude, longitude] = POINT.exec(text ?? '') ?? []
      return latitude && longitude ? { latitude: Number(latitude), longitude: Number(longitude) } : fault(t.point)
    }
    case 'json':
      if (text === '') return null
      try {
        return JSON.parse(text ?? '') as unknown
      } catch {
        return fault(t.json)
      }
    case 'numbers': {
      const entries = (value as string[]).map((one) => entryOf('integer', one))
      return entries.some((entry) => typeof entry !== 'number') ? fault(t.number) : entries
    }
    case 'list':
      return (value as Document[]).map((item, i) => {
        const { [KEY]: _, ...rest } = item
        return (field.of ?? []).reduce<Document>((whole, inner) => {
          const made = parseFormValue(inner, getIn(item, inner.name), `${path}.${i}.${inner.name}`, faults)
          // Empty values are omitted: the server knows an item's defaults.
          const nothing = made === null || made === undefined || (made === '' && inner.readOnly)
          return nothing ? without(whole, inner.name) : setIn(whole, inner.name, made)
        }, rest)
      })
    default:
      return text ?? value
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export type ParseResult = {
  /** The changed top-level fields, with their new content. */
  changes: Document
  /** Errors by path. */
  faults: Record<string, string>
}

/** The changes of a draft against its original document. */
export function fromDraft(fields: readonly Field[], document: Document, begun: Document, draft: Document): ParseResult {
  const faults: Record<string, string> = {}
  const touched = new Set<string>()
  let whole = document
  for (const field of fields) {
    const [value, before] = [getIn(draft, field.name), getIn(begun, field.name)]
    // Stored values that are invalid do not block changes of other fields.
    const isKept = same(value, before) && (getIn(document, field.name) ?? '') !== ''
    const made = isKept ? undefined : parseFormValue(field, value, field.name, faults)
    if (same(value, before)) continue
    whole = setIn(whole, field.name, made)
    touched.add(field.name.split('.')[0] ?? field.name)
  }
  // Values set by custom editors.
  const known = new Set(fields.map((field) => field.name.split('.')[0]))
  for (const key of Object.keys(draft)) {
    if (known.has(key) || same(draft[key], begun[key])) continue
    whole = { ...whole, [key]: draft[key] }
    touched.add(key)
  }
  // Invalid input from any control is not saved as another value.
  return {
    changes: Object.fromEntries([...touched].map((key) => [key, whole[key]])),
    faults: { ...invalidIn(draft), ...faults },
  }
}

const isWithin = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`)

/** Like {@link fromDraft}, for a form that hides the fields `unseen`: invalid ones keep their stored value. */
export function fromSeen(
  unseen: readonly string[],
  ...[fields, document, begun, draft]: Parameters<typeof fromDraft>
): ParseResult {
  const { faults } = fromDraft(fields, document, begun, draft)
  const faulty = unseen.filter((name) => Object.keys(faults).some((path) => isWithin(path, name)))
  const sound = faulty.reduce((now, name) => setIn(now, name, getIn(begun, name)), draft)
  const read = fromDraft(fields, document, begun, sound)
  const seen = Object.entries(read.faults).filter(([path]) => !unseen.some((name) => isWithin(path, name)))
  return { ...read, faults: Object.fromEntries(seen) }
}

export const isTouched = (begun: unknown, draft: unknown): boolean => !same(begun, draft)

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Labels of true and false for a field. */
export const yesOrNo = (field: Pick<Field, 'name'> | undefined, value: boolean): string => {
  const [yes, no] = t.yesAndNo[field?.name ?? ''] ?? [t.yes, t.no]
  return value ? yes : no
}

/** A number whose unit is in another field of `whole`: money, or a percentage. */
function worth(value: number, unit: unknown): string {
  if (unit === 'AMOUNT') return formatMoney(value)
  return unit === 'PERCENT' ? `${value}%` : String(value)
}

/** Formats a value of the document `whole`. */
export function formatValue(field: Field | undefined, value: unknown, whole?: unknown): string {
  if (field?.unit && typeof value === 'number') return worth(value, getIn(whole, field.unit))
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return yesOrNo(field, value)
  const named = field?.values?.find((one) => one.value === value)
  if (named) return named.label
  switch (field?.type) {
    case 'amount':
      return typeof value === 'number' ? formatMoney(value) : String(value)
    case 'percent':
      return `${String(value)}%`
    case 'datetime':
      return localMoment.format(new Date(String(value)))
    case 'html':
      return plain(String(value))
    case 'point':
      return pointText(value) || '-'
    case 'tags':
      return Array.isArray(value)
        ? value.map((one) => optionLabel(field.values ?? [], String(one))).join(', ') || '-'
        : '-'
    case 'numbers':
      return (Array.isArray(value) && value.join(', ')) || '-'
    case 'image':
    case 'file':
      return isDocument(value) ? [value.url, value.alt].filter(Boolean).join(' · ') || '-' : String(value)
    case 'list':
    case 'images':
    case 'references':
      return Array.isArray(value) ? t.items(value.length) : '-'
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}
