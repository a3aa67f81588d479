// The sizes a picture of the shop comes in. The server draws them, and serves a picture whole where it is not so wide.

/** Pixels across, as the server's `WIDTHS`. */
export const WIDTHS = [200, 400, 800, 1600] as const

const OURS = /^(\/(?:files|pictures)\/.+)\.webp$/

/** The `srcset` of a picture; none of one from elsewhere. */
export function srcsetOf(url: string): string | undefined {
  const stem = OURS.exec(url)?.[1]
  return stem && WIDTHS.map((width) => `${stem}-${width}.webp ${width}w`).join(', ')
}
