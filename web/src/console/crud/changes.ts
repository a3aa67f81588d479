// The changes of an event as rows to display, by field and, in lists, by item.
import { historyWords } from '../history/words'
import { type Document, formatValue, getIn, isDocument } from './formState'
import type { Field } from './schema'

export type Change = { path: string; label: string; field?: Field; from: unknown; to: unknown }

type Item = Record<string, unknown>

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const isItems = (value: unknown): value is Item[] => Array.isArray(value) && value.every(isDocument)

/** Field types compared as sets: references and pictures. */
const GATHERED = ['references', 'images']

/** The properties of a value without a field of its own; none for an empty one. Undefined: not an object. */
const partsOf = (value: unknown): Item | undefined =>
  value === null || value === undefined ? {} : isDocument(value) ? value : undefined

/** Old and new values by top-level key of the document. */
export type TopChanges = Readonly<Record<string, { from?: unknown; to?: unknown }>>

/** The differences between two documents. */
export const topChanges = (from: Document, to: Document): TopChanges =>
  Object.fromEntries(
    [...new Set([...Object.keys(from), ...Object.keys(to)])].map((key) => [key, { from: from[key], to: to[key] }]),
  )

/** Both documents, as far as known: the unit of a number may be in another field. */
type ChangedItem = { was: Item; is: Item }

/** `whole` is the document after the changes. */
export function changesOf(changes: TopChanges, fields: readonly Field[], whole: Document = {}): Change[] {
  const side = (end: 'from' | 'to') =>
    Object.fromEntries(Object.entries(changes).map(([key, change]) => [key, change[end]]))
  const wholes = { was: { ...whole, ...side('from') }, is: { ...whole, ...side('to') } }
  return Object.entries(changes).flatMap(([path, { from, to }]) => between(fields, wholes, path, from, to))
}

function between(fields: readonly Field[], wholes: ChangedItem, path: string, from: unknown, to: unknown): Change[] {
  if (same(from, to) || (isNothing(from) && isNothing(to))) return []
  const field = fields.find((known) => known.name === path)
  const label = field?.label ?? path
  if (field?.unit)
    return [{ path, label, from: formatValue(field, from, wholes.was), to: formatValue(field, to, wholes.is) }]
  if (field?.of && isItems(from ?? []) && isItems(to ?? []))
    return ofList(field, field.of, (from ?? []) as Item[], (to ?? []) as Item[])
  if (field && GATHERED.includes(field.type) && Array.isArray(from ?? []) && Array.isArray(to ?? []))
    return [ofGathered(field, (from ?? []) as unknown[], (to ?? []) as unknown[])]
  const [was, is] = [partsOf(from), partsOf(to)]
  // A picture or a point has a field and is shown as one value.
  if (field || !was || !is) return [{ path, label, field, from, to }]
  const keys = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...keys].flatMap((key) => between(fields, wholes, `${path}.${key}`, was[key], is[key]))
}

/** Removed and added elements; a mere reordering is shown as a whole. */
function ofGathered(field: Field, from: readonly unknown[], to: readonly unknown[]): Change {
  const without = (some: readonly unknown[], others: readonly unknown[]) =>
    some.filter((one) => !others.some((other) => same(one, other)))
  const [gone, come] = [without(from, to), without(to, from)]
  const [was, is] = gone.length + come.length > 0 ? [gone, come] : [from, to]
  return { path: field.name, label: field.label, field, from: was, to: is }
}

/** Items are identified by their id, or by their position if they have none. */
function ofList(list: Field, fields: readonly Field[], from: readonly Item[], to: readonly Item[]): Change[] {
  const keyed = (items: readonly Item[]) =>
    new Map(items.map((item, i) => [String(item._id ?? i), { item, place: i + 1 }]))
  const [was, is] = [keyed(from), keyed(to)]
  const rows = [...new Set([...was.keys(), ...is.keys()])].flatMap((key): Change[] => {
    const before = was.get(key)
    const after = is.get(key)
    const place = (after ?? before)?.place ?? 0
    const path = `${list.name}.${key}`
    const label = historyWords.item(list.label, place)
    if (!before || !after) return [{ path, label, field: list, from: before?.item, to: after?.item }]
    return fields
      .filter((part) => part.name !== '_id' && !same(getIn(before.item, part.name), getIn(after.item, part.name)))
      .map((part) => ({
        path: `${path}.${part.name}`,
        label: `${label} ${part.label}`,
        field: part,
        from: getIn(before.item, part.name),
        to: getIn(after.item, part.name),
      }))
  })
  // Only the order changed.
  return rows.length > 0 ? rows : [{ path: list.name, label: list.label, from: undefined, to: historyWords.reordered }]
}
