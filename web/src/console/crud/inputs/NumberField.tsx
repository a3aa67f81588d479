// A labelled number for custom editors: an amount, an integer, a percentage. Shown as typed while typing, formatted after blur. Invalid
// input is an invalid entry in the draft, so that no other value is saved instead.
import { type ReactNode, useState } from 'react'
import { moneySign } from '../../../lib/money'
import { Field } from '../../../ui/Field'
import { entryOf, entryText, type InvalidEntry, invalidEntry, isInvalid, type Limits } from '../entry'
import { recordWords } from '../words'
import { InputWithAddon } from './InputWithAddon'

type NumberFieldProps = Limits & {
  label: ReactNode
  /** Name in the message for a missing value, if the label is more than text. */
  name?: string
  type: 'amount' | 'integer' | 'percent'
  /** Hundredths for an amount. */
  value: unknown
  /** Called on every change, so that Ctrl+S saves what is displayed. */
  onValueChange: (value: number | null | InvalidEntry) => void
  error?: string
  hint?: ReactNode
  /** Unit shown after the number. */
  after?: string
  /** Must not be empty; `isMarked` shows that. */
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
