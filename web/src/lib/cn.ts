// Joins class names and leaves out what is false. A component's `className` is for its place on the page (margin, width), not for its looks.
export const cn = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
