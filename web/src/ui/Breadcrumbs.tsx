// The path to the current page; the last step is the page itself.
import { ChevronRight } from 'lucide-react'
import { cn } from '../lib/cn'
import { Link } from './Link'

export function Breadcrumbs({
  steps,
  className,
}: {
  steps: readonly { label: string; to?: string }[]
  className?: string
}) {
  return (
    <nav aria-label="현재 위치" className={className}>
      <ol className="flex items-center gap-1 text-ink-3 text-sm">
        {steps.map((step, i) => {
          const last = i === steps.length - 1
          return (
            // On one line: the last step gives way first.
            <li key={step.to ?? step.label} className={cn('flex min-w-0 items-center gap-1', last && 'shrink-999')}>
              {i > 0 && <ChevronRight aria-hidden className="size-3.5 shrink-0" />}
              {step.to && !last ? (
                <Link to={step.to} className="tap min-w-0 rounded-xs hover:text-ink hover:underline">
                  <span className="block truncate">{step.label}</span>
                </Link>
              ) : (
                <span
                  aria-current={last ? 'page' : undefined}
                  className={cn('truncate', last && 'font-medium text-ink')}
                >
                  {step.label}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
