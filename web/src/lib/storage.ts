// JSON values in sessionStorage and localStorage. Values that are malformed or of an outdated shape count as absent; where storage is
// unavailable or full, writing does nothing.

export type StorageItem<T> = { read: () => T | undefined; keep: (value: T) => void; forget: () => void }

const tab = () => sessionStorage
const always = () => localStorage

/** Undefined where storage throws. */
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

/** A value in sessionStorage. */
export const sessionItem = stored(tab)
/** A value in localStorage. */
export const localItem = stored(always)
export const clearSessionItems = (): void => attempt(() => tab().clear())

export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isTrue = (value: unknown): value is true => value === true
export const isText = (value: unknown): value is string => typeof value === 'string'
/** The items themselves are not checked. */
export const isList = <T>(value: unknown): value is T[] => Array.isArray(value)
export const isTexts = (value: unknown): value is string[] => isList(value) && value.every(isText)
/** An object whose named fields pass these checks. */
export const hasShape =
  <T extends object>(fields: { [K in keyof T]?: (value: unknown) => value is T[K] }) =>
  (value: unknown): value is T =>
    typeof value === 'object' &&
    value !== null &&
    (Object.keys(fields) as (keyof T)[]).every((name) => fields[name]?.((value as T)[name]))
