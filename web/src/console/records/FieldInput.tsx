// The control of one field of a record's form.
import { Checkbox } from '../../ui/Choice'
import { Field, Fieldset } from '../../ui/Field'
import { Input, Select, Textarea } from '../../ui/Input'
import type { FieldDef, Value } from './fields'

type FieldInputProps = {
  field: FieldDef
  value: Value | undefined
  onValue: (value: Value) => void
  error?: string
  disabled?: boolean
}

export function FieldInput({ field, value, onValue, error, disabled }: FieldInputProps) {
  const place = field.wide || field.kind === 'textarea' || field.kind === 'many' ? 'sm:col-span-2' : undefined
  const text = typeof value === 'string' ? value : ''
  if (field.kind === 'bool') {
    return (
      <Checkbox
        className={place ?? 'self-end pb-2.5'}
        label={field.label}
        checked={value === true}
        disabled={disabled}
        onChange={(event) => onValue(event.target.checked)}
      />
    )
  }
  if (field.kind === 'many') {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : []
    return (
      <Fieldset legend={field.label} error={error} className={place}>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {field.options.map((option) => (
            <Checkbox
              key={option.value}
              label={option.label}
              disabled={disabled}
              checked={chosen.includes(option.value)}
              onChange={(event) =>
                onValue(
                  event.target.checked ? [...chosen, option.value] : chosen.filter((known) => known !== option.value),
                )
              }
            />
          ))}
        </div>
      </Fieldset>
    )
  }
  return (
    <Field label={field.label} hint={field.hint} error={error} required={field.required} className={place}>
      {field.kind === 'choice' ? (
        <Select
          options={field.options}
          value={text}
          disabled={disabled}
          onChange={(event) => onValue(event.target.value)}
        />
      ) : field.kind === 'textarea' ? (
        <Textarea value={text} disabled={disabled} onChange={(event) => onValue(event.target.value)} />
      ) : (
        <Input
          type={field.kind === 'moment' ? 'datetime-local' : 'text'}
          inputMode={
            field.kind === 'money' || field.kind === 'worth'
              ? 'decimal'
              : field.kind === 'number'
                ? 'numeric'
                : undefined
          }
          value={text}
          disabled={disabled}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}
