// Texts as chips: typed and confirmed by Enter or a comma, or checkboxes if the server lists the options.
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/Button'
import { Checkbox } from '../../../ui/Checkbox'
import { Input } from '../../../ui/Input'
import type { Option } from '../schema'
import { crudWords } from '../words'

type TagsInputProps = {
  value: readonly string[]
  values?: readonly Option[]
  /** `inputMode`: the keyboard shown on a phone. */
  inputMode?: 'numeric'
  onValueChange: (value: string[]) => void
  disabled?: boolean
}

export function TagsInput({ value, values, inputMode, onValueChange, disabled }: TagsInputProps) {
  const [typed, setTyped] = useState('')
  if (values) {
    return (
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {values.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            disabled={disabled}
            checked={value.includes(option.value)}
            onChange={(event) =>
              onValueChange(
                event.target.checked ? [...value, option.value] : value.filter((one) => one !== option.value),
              )
            }
          />
        ))}
      </div>
    )
  }
  const add = (text: string) => {
    const more = text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && !value.includes(word))
    setTyped('')
    if (more.length > 0) onValueChange([...value, ...new Set(more)])
  }
  return (
    <div className="grid gap-2">
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {value.map((word) => (
            <li key={word} className="flex items-center rounded-full border border-line bg-raised pl-3 text-sm">
              {word}
              <IconButton
                size="sm"
                label={crudWords.removeItem(word)}
                disabled={disabled}
                onClick={() => onValueChange(value.filter((one) => one !== word))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Input
        inputMode={inputMode}
        value={typed}
        placeholder={disabled ? undefined : crudWords.addHere}
        disabled={disabled}
        onChange={(event) =>
          event.target.value.includes(',') ? add(event.target.value) : setTyped(event.target.value)
        }
        onBlur={() => add(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            event.preventDefault()
            add(typed)
          }
          if (event.key === 'Backspace' && typed === '' && value.length > 0) onValueChange(value.slice(0, -1))
        }}
      />
    </div>
  )
}
