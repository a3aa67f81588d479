// A switch that takes effect at once (a setting), unlike a checkbox in a form.
import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cn } from '../lib/cn'

type SwitchProps = {
  label: ReactNode
  text?: ReactNode
  on: boolean
  onToggle: (on: boolean) => void
  disabled?: boolean
  className?: string
}

export function Switch({ label, text, on, onToggle, disabled = false, className }: SwitchProps) {
  const id = useId()
  return (
    <div className={cn('flex items-center justify-between gap-4', className)}>
      <label htmlFor={id} className={cn(disabled && 'text-ink-3')}>
        <span className="font-medium">{label}</span>
        {text && <span className="block text-ink-3 text-sm">{text}</span>}
      </label>
      <Radix.Root
        id={id}
        checked={on}
        aria-disabled={disabled || undefined}
        onCheckedChange={(next) => !disabled && onToggle(next)}
        className="relative h-7 w-12 shrink-0 rounded-full bg-line-strong transition-colors disabled:opacity-45 aria-disabled:opacity-45 data-[state=checked]:bg-ink"
      >
        <Radix.Thumb className="block size-6 translate-x-0.5 rounded-full bg-raised shadow-card transition-transform data-[state=checked]:translate-x-5.5" />
      </Radix.Root>
    </div>
  )
}
