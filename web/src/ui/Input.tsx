// Text inputs and selects. Inside a Field they are named and described by it.
import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cn } from '../lib/cn'
import { formatPhone } from '../lib/phone'
import { useFieldProps } from './Field'

/** Common style of controls. 16 px on phones, otherwise iOS zooms in. */
const BOX =
  'w-full rounded-md border border-line-strong bg-raised px-3.5 text-base text-ink transition-colors placeholder:text-ink-3 hover:border-ink-3 ' +
  'focus:border-ink focus:outline-none focus:ring-1 focus:ring-ink aria-invalid:border-danger aria-invalid:focus:ring-danger ' +
  'disabled:border-dashed disabled:bg-sunken disabled:text-ink-3 disabled:hover:border-line-strong max-md:text-[1rem]'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldProps()} {...rest} className={cn(BOX, 'h-11', className)} />
}

/** A password input with a button that shows the text. */
export function PasswordInput({
  className,
  showLabel = '비밀번호 보기',
  ...rest
}: ComponentProps<'input'> & { showLabel?: string }) {
  const [shown, setShown] = useState(false)
  return (
    <div className={cn('relative', className)}>
      <input {...useFieldProps()} {...rest} type={shown ? 'text' : 'password'} className={cn(BOX, 'h-11 pr-11')} />
      <button
        type="button"
        aria-label={showLabel}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-md text-ink-3 hover:text-ink"
      >
        {shown ? <EyeOff aria-hidden className="size-4.5" /> : <Eye aria-hidden className="size-4.5" />}
      </button>
    </div>
  )
}

/** A phone number, shown 3-4-4 while typing (spec V138); `onValueChange` gets the formatted text. */
export function PhoneInput({
  value,
  onValueChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'value'> & { value: string; onValueChange: (value: string) => void }) {
  return (
    <Input
      autoComplete="tel"
      {...rest}
      type="tel"
      inputMode="numeric"
      value={formatPhone(value)}
      onChange={(event) => onValueChange(formatPhone(event.target.value))}
    />
  )
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useFieldProps()} rows={rows} {...rest} className={cn(BOX, 'block py-2.5', className)} />
}

type SelectProps = ComponentProps<'select'> & {
  options: readonly { value: string; label: string; disabled?: boolean }[]
  /** Shown while nothing is selected. */
  placeholder?: string
  size?: undefined
  dense?: boolean
}

/** The browser's own select: the best one on phones and for screen readers. */
export function Select({ options, placeholder, dense = false, className, ...rest }: SelectProps) {
  return (
    <div className={cn('relative', className)}>
      <select
        {...useFieldProps()}
        {...rest}
        className={cn(BOX, 'appearance-none pr-10', dense ? 'h-9 text-sm' : 'h-11')}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4.5 -translate-y-1/2 text-ink-3"
      />
    </div>
  )
}
