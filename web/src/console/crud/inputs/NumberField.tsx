// A number in a form of its own drawing, with its label: an amount, a whole number, a percent. As it is typed while it is typed, in full
// once it is left. What is no valid value stands in the draft as an invalid entry, so that nothing is saved instead of it.
import { type ReactNode, useState } from 'react'
import { moneySign } from '../../../lib/money'
import { Field } from '../../../ui/Field'
import { entryOf, entryText, type InvalidEntry, invalidEntry, isInvalid, type Limits } from '../entry'
import { recordWords } from '../words'
import { InputWithAddon } from './InputWithAddon'

type NumberFieldProps = Limits & {
  label: ReactNode
  /** What it is called where it is missing, if its label is more than text. */
  name?: string
  type: 'amount' | 'integer' | 'percent'
  /** Hundredths of an amount. */
  value: unknown
  /** Hears every change at once, so that Ctrl+S saves what is seen. */
  onValueChange: (value: number | null | InvalidEntry) => void
  error?: string
  hint?: ReactNode
  /** What stands behind the number. */
  after?: string
  /** It may not be empty; `isMarked` shows so. */
  required?: boolean
  isMarked?: boolean
  className?: string
}

export function NumberField(props: NumberFieldProps) {
  const { label, name, type, value, onValueChange, error, hint, after, required = false, isMarked = false } = props
  const { min, max, className } = props
  const [typed, setTyped] = useState<string>()
  const take = (text: string) => {
    const entry = entryOf(type, text, { min, max })
    setTyped(text)
    onValueChange(entry === null && required ? invalidEntry(text, recordWords.required(name ?? String(label))) : entry)
  }
  const fault = typed === undefined && isInvalid(value) ? value.$fault : undefined
  return (
    <Field label={label} error={error ?? fault} hint={hint} required={isMarked} className={className}>
      <InputWithAddon
        before={type === 'amount' ? moneySign() : undefined}
        after={type === 'percent' ? '%' : after}
        inputMode={type === 'amount' ? 'decimal' : 'numeric'}
        value={typed ?? entryText(type, value)}
        onChange={(event) => take(event.target.value)}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  )
}
