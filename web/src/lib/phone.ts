// Phone numbers: stored as digits, shown 3-4-4 (spec V137, V138).

/** Only the digits of the input. */
export const digits = (text: string): string => text.replace(/\D/g, '')

/**
 * `01012345678` -> `010-1234-5678`; ten digits -> `011-123-4567`, and Seoul's `02-1234-5678` from its first digits on; shorter input
 * is shown as far as it goes (reading 29).
 */
export function formatPhone(text: string): string {
  const d = digits(text).slice(0, 11)
  const area = d.startsWith('02') ? 2 : 3
  const middle = area + (area === 3 && d.length === 10 ? 3 : 4)
  return [d.slice(0, area), d.slice(area, middle), d.slice(middle)].filter(Boolean).join('-')
}
