// Phone numbers: kept as digits, shown 3-4-4 (spec V137, V138).

/** Only the digits of what was typed. */
export const digits = (text: string): string => text.replace(/\D/g, '')

/** `01012345678` -> `010-1234-5678`; ten digits -> `02-1234-5678` or `011-123-4567`; shorter input is shown as far as it goes. */
export function formatPhone(text: string): string {
  const d = digits(text).slice(0, 11)
  if (d.length === 10)
    return d.startsWith('02') ? `02-${d.slice(2, 6)}-${d.slice(6)}` : `${d.slice(0, 3)}-${d.slice(3, 6)}-${d.slice(6)}`
  return [d.slice(0, 3), d.slice(3, 7), d.slice(7)].filter(Boolean).join('-')
}
