// Checkbox, radio buttons, and filter chips.
import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from '../lib/cn'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  /** The label is for screen readers only (a row's checkbox in a table). */
  hideLabel?: boolean
  /** Some of the items it stands for are selected. */
  indeterminate?: boolean
}

export function Checkbox({ label, hideLabel = false, indeterminate = false, className, ref, ...rest }: CheckboxProps) {
  const id = useId()
  return (
    <span className={cn('inline-flex gap-2.5', hideLabel ? 'align-middle' : 'items-start', className)}>
      <span className={cn('relative inline-flex size-5 shrink-0', !hideLabel && 'mt-0.5')}>
        <input
          {...rest}
          ref={(node) => {
            if (node) node.indeterminate = indeterminate && !rest.checked
            if (typeof ref === 'function') return ref(node)
            if (ref) ref.current = node
          }}
          id={id}
          type="checkbox"
          className={cn(
            'peer size-5 cursor-pointer appearance-none rounded-xs border border-line-strong bg-raised transition-colors checked:border-ink checked:bg-ink indeterminate:border-ink indeterminate:bg-ink disabled:opacity-40 aria-invalid:border-danger',
            hideLabel && 'tap',
          )}
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-on-ink peer-checked:block"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-0 m-auto hidden h-0.5 w-2.5 bg-on-ink peer-indeterminate:block"
        />
      </span>
      <label htmlFor={id} className={cn('select-none', hideLabel && 'sr-only')}>
        {label}
      </label>
    </span>
  )
}

export type Choice<V extends string> = { value: V; label: ReactNode; text?: ReactNode; disabled?: boolean }

type RadioGroupProps<V extends string> = {
  legend: string
  hideLegend?: boolean
  options: readonly Choice<V>[]
  value: V | undefined
  onValueChange: (value: V) => void
  /** `card` frames each choice and has room for a second line. */
  look?: 'plain' | 'card'
  error?: string
  className?: string
}

/** Radio buttons. */
export function RadioGroup<V extends string>({
  legend,
  hideLegend,
  options,
  value,
  onValueChange,
  look = 'plain',
  error,
  className,
}: RadioGroupProps<V>) {
  const name = useId()
  return (
    <fieldset
      className={cn('min-w-0', className)}
      aria-describedby={error ? `${name}-error` : undefined}
      data-invalid={error ? '' : undefined}
    >
      <legend className={cn('mb-2 font-medium text-sm', hideLegend && 'sr-only')}>{legend}</legend>
      <div className={look === 'card' ? 'grid gap-2.5 sm:grid-cols-2' : 'flex flex-wrap gap-x-5 gap-y-2'}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cn(
              'flex cursor-pointer items-start gap-2.5',
              look === 'card' &&
                'rounded-md border border-line-strong bg-raised p-4 transition-colors hover:border-ink has-checked:border-ink has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
              option.disabled && 'pointer-events-none opacity-45',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled}
              onChange={() => onValueChange(option.value)}
              className="mt-0.5 size-5 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-raised transition-all checked:border-[6px] checked:border-ink"
            />
            <span>
              <span className={look === 'card' ? 'font-semibold' : undefined}>{option.label}</span>
              {option.text && <span className="mt-0.5 block text-ink-3 text-sm">{option.text}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${name}-error`} role="alert" className="mt-1.5 text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type ChipsProps<V extends string> = {
  label: string
  options: readonly { value: V; label: ReactNode; count?: number }[]
  value: V
  onValueChange: (value: V) => void
  className?: string
}

/** Filter chips of a list: exactly one is on (periods, states). */
export function Chips<V extends string>({ label, options, value, onValueChange, className }: ChipsProps<V>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={cn('flex flex-wrap gap-2 py-1', className)}>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-full border border-line bg-raised px-3.5 text-ink-2 text-sm transition-colors hover:border-line-strong has-checked:border-ink has-checked:bg-ink has-checked:font-semibold has-checked:text-on-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onValueChange(option.value)}
            className="sr-only"
          />
          {option.label}
          {option.count !== undefined && <span className="figures opacity-75">{option.count}</span>}
        </label>
      ))}
    </div>
  )
}
