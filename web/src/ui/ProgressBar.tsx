// Progress as a thin line (free delivery, stock left).
import { cn } from '../lib/cn'

export function ProgressBar({
  value,
  max,
  label,
  className,
}: {
  value: number
  max: number
  label: string
  className?: string
}) {
  const part = max > 0 ? Math.min(1, Math.max(0, value / max)) : 1
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike in all browsers
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className={cn('h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-500"
        style={{ width: `${part * 100}%` }}
      />
    </div>
  )
}
