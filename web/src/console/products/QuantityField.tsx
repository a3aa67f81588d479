// A number of pieces in stock.
import type { ComponentProps } from 'react'
import type { InvalidEntry } from '../crud/entry'
import { NumberField } from '../crud/inputs/NumberField'

export const PIECES = '개'
/** Maximum stock. */
export const PIECES_MOST = 9_999_999

type QuantityFieldProps = Pick<ComponentProps<typeof NumberField>, 'label' | 'hint' | 'value' | 'error'> & {
  onValueChange: (pieces: number | InvalidEntry) => void
}

export const QuantityField = ({ onValueChange, ...rest }: QuantityFieldProps) => (
  <NumberField
    name="재고"
    type="integer"
    after={PIECES}
    min={0}
    max={PIECES_MOST}
    required
    onValueChange={(pieces) => pieces !== null && onValueChange(pieces)}
    {...rest}
  />
)
