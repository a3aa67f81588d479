// Nodes of a tree (categories): checkboxes, or a single choice.
import { Checkbox } from '../../../ui/Checkbox'
import { Fieldset } from '../../../ui/Field'
import { Select } from '../../../ui/Input'
import { crudWords } from '../words'
import { useTreeOptions } from './ReferenceInput'

type TreeMultiSelectProps = {
  label: string
  kind: string
  value: readonly string[]
  onValueChange: (codes: string[]) => void
  error?: string
  disabled?: boolean
  className?: string
}

export function TreeMultiSelect({
  label,
  kind,
  value,
  onValueChange,
  error,
  disabled,
  className,
}: TreeMultiSelectProps) {
  const options = useTreeOptions(kind)
  return (
    <Fieldset legend={label} error={error} className={className}>
      <div className="grid gap-x-5 gap-y-2 rounded-md border border-line p-3 sm:max-h-72 sm:grid-cols-2 sm:overflow-y-auto">
        {options.map((option) => (
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
    </Fieldset>
  )
}

type TreeSelectProps = { kind: string; value: string; onValueChange: (code: string) => void; disabled?: boolean }

export function TreeSelect({ kind, value, onValueChange, disabled }: TreeSelectProps) {
  const options = useTreeOptions(kind)
  return (
    <Select
      options={options}
      placeholder={crudWords.all}
      value={value}
      disabled={disabled}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}
