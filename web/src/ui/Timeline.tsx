// Events in the given order, newest first or last: the history of an order, an account, a record.
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'
import type { DateStyle } from '../lib/date'
import type { Tone } from '../lib/order-status'
import { DateText } from './DateText'

export type TimelineItem = {
  key: string
  at: string | number | Date
  title: ReactNode
  /** Actor, reason, and details. */
  text?: ReactNode
  tone?: Tone
  aside?: ReactNode
}

const DOTS: Record<Tone, string> = {
  quiet: 'bg-line-strong',
  busy: 'bg-info',
  good: 'bg-success',
  warning: 'bg-warning',
  bad: 'bg-danger',
}

export function Timeline({
  label,
  items,
  dates = 'second',
  className,
}: {
  label: string
  items: readonly TimelineItem[]
  /** Format of its times. */
  dates?: DateStyle
  className?: string
}) {
  return (
    <ol aria-label={label} className={className}>
      {items.map((item) => (
        <li key={item.key} className="group/item relative flex gap-4 pb-6 last:pb-0">
          <span aria-hidden className="absolute top-5 bottom-0 left-[5px] w-px bg-line group-last/item:hidden" />
          <span
            aria-hidden
            className={cn(
              'relative mt-1.5 size-[11px] shrink-0 rounded-full ring-4 ring-raised',
              DOTS[item.tone ?? 'quiet'],
            )}
          />
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline justify-between gap-x-4 max-sm:flex-col">
              <p className="font-semibold">{item.title}</p>
              <DateText value={item.at} style={dates} className="figures text-ink-3 text-sm" />
            </div>
            {item.text && <div className="mt-0.5 text-ink-2 text-sm">{item.text}</div>}
          </div>
          {item.aside}
        </li>
      ))}
    </ol>
  )
}
