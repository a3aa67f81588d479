// The shipping methods of a shipping group.
import type { Row } from '../crud/resourceDefinition'

/** The names of the methods. */
export const ShippingMethodsCell = ({ row }: { row: Row }) => (
  <span>
    {(Array.isArray(row.options) ? (row.options as { name?: string }[]) : []).map(({ name }) => name).join(', ') || '-'}
  </span>
)
