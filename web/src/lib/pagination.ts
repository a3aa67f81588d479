// The page buttons to show: at most eleven (spec V241).

export const MAX_PAGE_BUTTONS = 11

/** The number of pages of `total` rows; at least one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** The page numbers (from 1) of the buttons: a window around the current page that keeps its width at both ends. */
export function pageButtons(current: number, pages: number): number[] {
  const shown = Math.min(MAX_PAGE_BUTTONS, pages)
  const first = Math.max(1, Math.min(current - Math.floor(shown / 2), pages - shown + 1))
  return Array.from({ length: shown }, (_, i) => first + i)
}
