// Whole numbers as people read them.

/** `12345` -> `12,345`. Not by the browser's own formats: the first of them costs a page as much as drawing its cards. */
export const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
