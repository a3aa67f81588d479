// Formats integers.

/** `12345` -> `12,345`. Without `Intl`: creating its first formatter takes a page as long as rendering its cards. */
export const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
