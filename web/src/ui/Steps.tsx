// The steps of a process in a row, up to the one it has reached.
import { Check } from 'lucide-react'
import { cn } from '../lib/cn'

type StepsProps = {
  label: string
  steps: readonly string[]
  /** Index of the current step. */
  at: number
  className?: string
}

export function Steps({ label, steps, at, className }: StepsProps) {
  return (
    <ol
      aria-label={label}
      className={cn('grid', className)}
      style={{ gridTemplateColumns: `repeat(${steps.length}, minmax(0, 1fr))` }}
    >
      {steps.map((step, i) => (
        <li
          key={step}
          aria-current={i === at ? 'step' : undefined}
          className="relative flex flex-col items-center gap-1.5 text-center"
        >
          {i > 0 && (
            <span aria-hidden className={cn('absolute top-3 right-1/2 h-0.5 w-full', i <= at ? 'bg-ink' : 'bg-line')} />
          )}
          <span
            aria-hidden
            className={cn(
              'relative z-10 flex size-6 items-center justify-center rounded-full',
              i <= at ? 'bg-ink text-on-ink' : 'bg-line text-ink-3',
            )}
          >
            {i <= at && <Check className="size-3.5" strokeWidth={3} />}
          </span>
          <span className={cn('text-xs sm:text-sm', i === at ? 'font-bold' : 'text-ink-3')}>{step}</span>
        </li>
      ))}
    </ol>
  )
}
