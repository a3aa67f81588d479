// A colour: picked, or typed as #rrggbb.
import { Input } from '../../../ui/Input'
import { entryOf, entryText, type InvalidEntry, isInvalid } from '../entry'
import { crudWords } from '../words'

type ColorInputProps = {
  label: string
  value: unknown
  onValueChange: (value: string | null | InvalidEntry) => void
  disabled?: boolean
}

export function ColorInput({ label, value, onValueChange, disabled }: ColorInputProps) {
  const text = entryText('color', value)
  const take = (typed: string) => onValueChange(entryOf('color', typed))
  return (
    <div className="flex flex-wrap gap-2">
      <input
        type="color"
        aria-label={crudWords.pick(label)}
        className="h-11 w-14 shrink-0 cursor-pointer rounded-md border border-line-strong bg-raised p-1"
        // biome-ignore lint/plugin: the value that the browser's own picker shows for no colour
        value={text === '' || isInvalid(value) ? '#ffffff' : text}
        disabled={disabled}
        onChange={(event) => take(event.target.value)}
      />
      <Input
        className="min-w-28 flex-1"
        value={text}
        maxLength={7}
        // biome-ignore lint/plugin: an example value
        placeholder="#112233"
        disabled={disabled}
        onChange={(event) => take(event.target.value)}
      />
    </div>
  )
}
