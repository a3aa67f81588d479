// Keys of options that are not saved yet.
let fresh = 0

/** A key that no other unsaved option has. */
export const freshKey = (): string => {
  fresh += 1
  return `new-${fresh}`
}
