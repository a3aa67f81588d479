// How a form holds the values of each type, reads them back, and how they are shown as text. A new type has an entry here, in `cells.tsx` and
// in `controls.tsx`; the compiler asks for all three.
import { formatMoney } from '../../../lib/money'
import { type Document, getIn, isDocument, KEY, newItem, setIn, without } from '../document'
import { entryOf, entryText, isInvalid } from '../entry'
import { type Field, type FieldType, optionLabel } from '../schema'
import { recordWords } from '../words'

const t = recordWords

/** The place of a value that is read back from a form. */
type Reading = {
  /** What was typed, without spaces around it; undefined if it is no text. */
  text: string | undefined
  /** Its path in the whole form. */
  path: string
  /** Records an error of the value. */
  fault: (message: string) => undefined
  faults: Record<string, string>
}

type FieldValues = {
  /** The value as a form holds it: text for typed values. */
  draft: (value: unknown, field: Field) => unknown
  /** The value in the server's format, or a fault. */
  parse: (held: unknown, field: Field, reading: Reading) => unknown
  /** The value as text; it is neither empty nor a named option. */
  text: (value: unknown, field: Field) => string
}

const plainText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const texts: FieldValues = {
  draft: (value) => (value === undefined || value === null ? '' : String(value)),
  parse: (held, _, { text }) => text ?? held,
  text: plainText,
}

/** Nothing chosen is null. */
const chosen: FieldValues = { ...texts, parse: (held, _, { text }) => (text === '' ? null : held) }

const numbers = (type: 'amount' | 'integer' | 'percent', text: FieldValues['text']): FieldValues => ({
  draft: (value) => (typeof value === 'number' ? entryText(type, value) : ''),
  parse: (_, field, { text: typed, fault }) => {
    const entry = entryOf(type, typed ?? '', field)
    return isInvalid(entry) ? fault(entry.$fault) : entry
  },
  text,
})

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const several: FieldValues = {
  draft: listed,
  parse: texts.parse,
  text: (value) => (Array.isArray(value) ? t.items(value.length) : '-'),
}

const file: FieldValues = {
  draft: (value) => value ?? null,
  parse: texts.parse,
  text: (value) => (isDocument(value) ? [value.url, value.alt].filter(Boolean).join(' · ') || '-' : String(value)),
}

/** A point as maps write it: latitude, then longitude. */
const pointText = (value: unknown): string =>
  isDocument(value) && typeof value.latitude === 'number' && typeof value.longitude === 'number'
    ? `${value.latitude}, ${value.longitude}`
    : ''

const POINT = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/

const localMoment = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short', timeStyle: 'short' })

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const FIELD_VALUES: Record<FieldType, FieldValues> = {
  text: texts,
  longtext: texts,
  url: texts,
  html: { ...texts, text: (value) => plain(String(value)) },
  integer: numbers('integer', plainText),
  amount: numbers('amount', (value) => (typeof value === 'number' ? formatMoney(value) : String(value))),
  percent: numbers('percent', (value) => `${String(value)}%`),
  boolean: { draft: (value) => value === true, parse: texts.parse, text: plainText },
  date: chosen,
  datetime: {
    draft: (value) =>
      typeof value === 'string' && value !== '' ? localMoment.format(new Date(value)).replace(' ', 'T') : '',
    parse: (_, __, { text }) => (text === '' ? null : `${text}:00+09:00`),
    text: (value) => localMoment.format(new Date(String(value))),
  },
  enum: chosen,
  reference: chosen,
  references: several,
  images: several,
  image: file,
  file,
  list: {
    draft: (value, { of }) => listed(value).map((item) => newItem(toDraft(of ?? [], item as Document))),
    parse: (held, { of }, { path, faults }) =>
      (held as Document[]).map((item, i) => {
        const { [KEY]: _, ...rest } = item
        return (of ?? []).reduce<Document>((whole, inner) => {
          const made = parseValue(inner, getIn(item, inner.name), `${path}.${i}.${inner.name}`, faults)
          // Empty values are omitted: the server knows an item's defaults.
          const nothing = made === null || made === undefined || (made === '' && inner.readOnly)
          return nothing ? without(whole, inner.name) : setIn(whole, inner.name, made)
        }, rest)
      }),
    text: several.text,
  },
  tags: {
    draft: listed,
    parse: texts.parse,
    text: (value, { values }) =>
      listed(value)
        .map((one) => optionLabel(values ?? [], String(one)))
        .join(', ') || '-',
  },
  numbers: {
    draft: (value) => listed(value).map(String),
    parse: (held, _, { fault }) => {
      const entries = (held as string[]).map((one) => entryOf('integer', one))
      return entries.some((entry) => typeof entry !== 'number') ? fault(t.number) : entries
    },
    text: (value) => listed(value).join(', ') || '-',
  },
  color: {
    ...texts,
    parse: (_, __, { text, fault }) => {
      const entry = entryOf('color', text ?? '')
      return isInvalid(entry) ? fault(entry.$fault) : (entry ?? '')
    },
  },
  json: {
    ...texts,
    draft: (value) => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2)),
    parse: (_, __, { text, fault }) => {
      if (text === '') return null
      try {
        return JSON.parse(text ?? '') as unknown
      } catch {
        return fault(t.json)
      }
    },
  },
  point: {
    draft: pointText,
    parse: (_, __, { text, fault }) => {
      if (text === '') return null
      const [, latitude, longitude] = POINT.exec(text ?? '') ?? []
      return latitude && longitude ? { latitude: Number(latitude), longitude: Number(longitude) } : fault(t.point)
    },
    text: (value) => pointText(value) || '-',
  },
}

/** The document as shown by a form. */
export function toDraft(fields: readonly Field[], document: Document): Document {
  return fields.reduce(
    (draft, field) => setIn(draft, field.name, FIELD_VALUES[field.type].draft(getIn(document, field.name), field)),
    document,
  )
}

/** Converts input to the server's format, or records errors. Errors of list items include their index. */
export function parseValue(field: Field, value: unknown, path: string, faults: Record<string, string>): unknown {
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
  const typed = field.type === 'tags' ? (value as string[]) : text === undefined ? [] : [text]
  if (typed.some((one) => one.length > most)) return fault(t.tooLong(most))
  return FIELD_VALUES[field.type].parse(value, field, { text, path, fault, faults })
}

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
  return field ? FIELD_VALUES[field.type].text(value, field) : plainText(value)
}
