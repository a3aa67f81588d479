// A form field: label, control, hint and error, associated for screen readers.
import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId } from 'react'
import { cn } from '../lib/cn'

type Ties = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }
const FieldTies = createContext<Ties | undefined>(undefined)

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  /** Validation error; undefined or empty if valid. */
  error?: string
  required?: boolean
  /** The label is for screen readers only. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** `<Field label="이름" error={errors.name} required><Input … /></Field>` */
export function Field({ label, hint, error, required = false, hideLabel = false, className, children }: FieldProps) {
  const id = useId()
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={cn('font-medium text-ink text-sm', hideLabel && 'sr-only')}>
        {label}
        {required && <Star />}
      </label>
      <FieldTies value={{ id, describedBy, invalid: Boolean(error), required }}>{children}</FieldTies>
      {error ? (
        <ErrorText id={`${id}-error`}>{error}</ErrorText>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-ink-3 text-sm">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

const ErrorText = ({ id, className, children }: { id: string; className?: string; children: ReactNode }) => (
  <p id={id} role="alert" className={cn('flex items-start gap-1 text-danger text-sm', className)}>
    <CircleAlert aria-hidden className="mt-1 size-3.5 shrink-0" />
    {children}
  </p>
)

/** The mark of a required field. */
const Star = () => (
  <span className="ml-0.5 text-accent" title="필수">
    <span aria-hidden>*</span>
  </span>
)

/** Attributes that a control inside a {@link Field} takes over: id, description, validity. Empty outside of one. */
export function useFieldProps() {
  const ties = useContext(FieldTies)
  if (!ties) return {}
  return {
    id: ties.id,
    'aria-describedby': ties.describedBy,
    'aria-invalid': ties.invalid || undefined,
    'aria-required': ties.required || undefined,
  }
}

type FieldsetProps = {
  legend: string
  hideLegend?: boolean
  required?: boolean
  error?: string
  className?: string
  children: ReactNode
}

/** A group of controls with one name. */
export function Fieldset({ legend, hideLegend = false, required = false, error, className, children }: FieldsetProps) {
  const id = useId()
  return (
    <fieldset
      className={cn('min-w-0', className)}
      aria-describedby={error ? id : undefined}
      data-invalid={error ? '' : undefined}
    >
      <legend className={cn('mb-2 font-medium text-sm', hideLegend && 'sr-only')}>
        {legend}
        {required && <Star />}
      </legend>
      {children}
      {error && (
        <ErrorText id={id} className="mt-1.5">
          {error}
        </ErrorText>
      )}
    </fieldset>
  )
}
