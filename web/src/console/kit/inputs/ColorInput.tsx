// A colour: picked, or typed as #rrggbb.
import { Input } from '../../../ui/Input'
import { words } from '../../words'

type ColorInputProps = { label: string; value: string; onValue: (value: string) => void; disabled?: boolean }

const COLOUR = /^#[0-9a-f]{6}$/i

export const ColorInput = ({ label, value, onValue, disabled }: ColorInputProps) => (
  <div className="flex gap-2">
    <input
      type="color"
      aria-label={words.kit.pick(label)}
      className="h-11 w-14 shrink-0 cursor-pointer rounded-md border border-line-strong bg-raised p-1"
      value={COLOUR.test(value) ? value : '#ffffff'}
      disabled={disabled}
      onChange={(event) => onValue(event.target.value)}
    />
    <Input
      value={value}
      maxLength={7}
      placeholder="#112233"
      disabled={disabled}
      onChange={(event) => onValue(event.target.value)}
    />
  </div>
)
