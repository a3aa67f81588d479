// The form state over a record's document. A draft is the document with text for typed values (amounts, numbers, timestamps).
import { type Document, getIn, setIn } from './document'
import { invalidIn } from './entry'
import { parseValue } from './fields/values'
import type { Field } from './schema'

export { type Document, getIn, isDocument, KEY, newItem, setIn } from './document'
export { formatValue, toDraft, yesOrNo } from './fields/values'

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
    const made = isKept ? undefined : parseValue(field, value, field.name, faults)
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
