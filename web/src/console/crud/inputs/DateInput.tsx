// A date or time. For partial input ("2026-11-") a browser reports an empty value: here that is an invalid entry.
import { MAX_DATE } from '../../../lib/validators'
import { Input } from '../../../ui/Input'
import { type InvalidEntry, invalidEntry, isInvalid } from '../entry'
import { recordWords } from '../words'

type DateInputProps = {
  type: 'date' | 'datetime'
  value: unknown
  onValueChange: (value: string | InvalidEntry) => void
  disabled?: boolean
}

export function DateInput({ type, value, onValueChange, disabled }: DateInputProps) {
  const shown = typeof value === 'string' ? value : ''
  const take = ({ value: text, validity }: HTMLInputElement) => {
    if (validity.badInput) onValueChange(invalidEntry(text, recordWords.halfDate))
    else if (isInvalid(value) || text !== shown) onValueChange(text)
  }
  return (
    <Input
      type={type === 'date' ? 'date' : 'datetime-local'}
      max={type === 'date' ? MAX_DATE : `${MAX_DATE}T23:59`}
      value={shown}
      disabled={disabled}
      onChange={(event) => take(event.target)}
      // Partial input does not change the value.
      onKeyUp={(event) => take(event.currentTarget)}
      onBlur={(event) => take(event.target)}
    />
  )
}
