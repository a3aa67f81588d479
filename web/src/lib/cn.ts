// Joins class names. A component's `className` is for its place on the page (margin, width), not for its looks.
export { clsx as cn } from 'clsx'
