// What the browser keeps for the shop as JSON, until the tab closes or for good. What is garbled, or of another shape than is written
// today, counts as absent; a browser that refuses to keep anything, or is full, loses the value and nothing else.

/** A value under a name: reads it, keeps another, forgets it. */
export type StorageItem<T> = { read: () => T | undefined; keep: (value: T) => void; forget: () => void }

const tab = () => sessionStorage
const always = () => localStorage

/** Does it; nothing where the browser will not. */
function attempt<T>(what: () => T): T | undefined {
  try {
    return what()
  } catch {
    return undefined
  }
}

const stored =
  (storage: () => Storage) =>
  <T>(name: string, isOne: (value: unknown) => value is T): StorageItem<T> => ({
    read: () => {
      const value: unknown = attempt(() => JSON.parse(storage().getItem(name) ?? 'null'))
      return isOne(value) ? value : undefined
    },
    keep: (value) => attempt(() => storage().setItem(name, JSON.stringify(value))),
    forget: () => attempt(() => storage().removeItem(name)),
  })

/** For as long as the tab lives. */
export const sessionItem = stored(tab)
/** For all tabs, until it is forgotten. */
export const localItem = stored(always)
/** Forgets all that was stored for as long as the tab lives. */
export const clearSessionItems = (): void => attempt(() => tab().clear())

export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isTrue = (value: unknown): value is true => value === true
export const isText = (value: unknown): value is string => typeof value === 'string'
/** Of what, the caller says. */
export const isList = <T>(value: unknown): value is T[] => Array.isArray(value)
export const isTexts = (value: unknown): value is string[] => isList(value) && value.every(isText)
/** An object whose fields are of these kinds; of those not named here nothing is known. */
export const hasShape =
  <T extends object>(fields: { [K in keyof T]?: (value: unknown) => value is T[K] }) =>
  (value: unknown): value is T =>
    typeof value === 'object' &&
    value !== null &&
    (Object.keys(fields) as (keyof T)[]).every((name) => fields[name]?.((value as T)[name]))
