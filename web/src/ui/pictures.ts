// The sizes of the shop's pictures. The server scales them, and serves the original where it is not that wide.

/** Widths in pixels, as the server's `WIDTHS`. */
export const WIDTHS = [200, 400, 800, 1600] as const

const OURS = /^(\/(?:files|pictures)\/.+)\.webp$/

/** The `srcset` of a picture; undefined for external ones. */
export function srcsetOf(url: string): string | undefined {
  const stem = OURS.exec(url)?.[1]
  return stem && WIDTHS.map((width) => `${stem}-${width}.webp ${width}w`).join(', ')
}
