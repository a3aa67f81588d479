// Short labels: states and badges of a product.
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'
import { type PurchaseStatuses, statusTone, type Tone } from '../lib/order-status'

type BadgeTone = Tone | 'accent' | 'ink'

const TONES: Record<BadgeTone, string> = {
  quiet: 'bg-sunken text-ink-2 dark:bg-line',
  busy: 'bg-info-soft text-info',
  good: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  bad: 'bg-danger-soft text-danger',
  accent: 'bg-accent-soft text-accent-strong',
  ink: 'bg-ink text-on-ink',
}

export function Badge({
  tone = 'quiet',
  className,
  children,
}: {
  tone?: BadgeTone
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-xs px-2 py-0.5 font-semibold text-xs',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

/** The server's text for the status of a purchase (spec V106-V109), in its colour. */
export function StatusBadge({
  className,
  statusText,
  ...statuses
}: PurchaseStatuses & { statusText: string; className?: string }) {
  return (
    <Badge tone={statusTone(statuses)} className={className}>
      {statusText}
    </Badge>
  )
}
