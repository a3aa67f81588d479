// A field of a form: its label, control, hint and error.
import { Field } from '../../../ui/Field'
import { isInvalid } from '../entry'
import { FIELD_CONTROLS } from '../fields/controls'
import { getIn } from '../formState'
import type { Field as FieldDef } from '../schema'
import { DependentSelect, filtersOf, siblingPath, useReferenceRules } from './DependentSelect'

export type FieldInputProps = {
  field: FieldDef
  /** Its path in the whole form, for a field inside a list. */
  path?: string
  draft: unknown
  put: (path: string, value: unknown) => void
  errors: Record<string, string>
  disabled?: boolean
  /** Filters of a reference's options, and a hint about them. */
  within?: { only: Record<string, string>; hint?: string }
  /** Help text. */
  hint?: string
}

/** The days of a period that is switched off: they have no effect. */
export const isIdle = (path: string, draft: unknown): boolean =>
  /\.(startedAt|endedAt)$/.test(path) && getIn(draft, siblingPath(path, 'hasPeriod')) === false

export function FieldInput(props: FieldInputProps) {
  const { field, path = field.name, draft, put, errors, disabled = false, within, hint } = props
  const { row, offer } = useReferenceRules(path)
  if (isIdle(path, draft)) return null
  const value = getIn(draft, path)
  const text = isInvalid(value) ? value.$typed : value === undefined || value === null ? '' : String(value)
  const onValueChange = (next: unknown) => put(path, next)
  // Errors of pictures and tags are shown at their parts.
  const error = errors[path] ?? Object.entries(errors).find(([place]) => place.startsWith(`${path}.`))?.[1]
  const control = FIELD_CONTROLS[field.type]
  const className = control.isWide && 'sm:col-span-2'
  const given = { field, value, text, disabled: disabled || field.readOnly === true, onValueChange }
  if ('Labelled' in control) {
    const { Labelled } = control
    const whole = { label: field.label, className, error, path, draft, put, errors }
    return <Labelled {...given} {...whole} />
  }
  const { Control } = control
  return (
    <Field
      label={field.label}
      required={field.required}
      error={error}
      hint={within?.hint ?? ([hint, control.hint?.(field)].filter(Boolean).join(' ') || undefined)}
      className={className}
    >
      {row ? (
        <DependentSelect
          row={row}
          path={path}
          draft={draft}
          value={text}
          onValueChange={onValueChange}
          disabled={given.disabled}
        />
      ) : (
        <Control {...given} only={{ ...within?.only, ...(offer && filtersOf(offer, draft)) }} />
      )}
    </Field>
  )
}
