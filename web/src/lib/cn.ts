// Joins class names, leaving out falsy ones. A component's `className` is for its layout on the page (margin, width), not for its style.
export const cn = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
