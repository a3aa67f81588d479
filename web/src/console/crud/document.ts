// Reading and changing a record's document by paths.

/** A record as stored on the server; fields that a form does not know are kept. */
export type Document = Record<string, unknown>

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

/** A copy of the document without what is at `path`. */
export function without(document: Document, path: string): Document {
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
