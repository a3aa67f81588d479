// Questions with answers that expand below; native `details`, so that searching in the page finds collapsed text.
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'

export type Fold = { key: string; title: ReactNode; content: ReactNode; open?: boolean }

export function Accordion({ folds, className }: { folds: readonly Fold[]; className?: string }) {
  return (
    <div className={cn('divide-y divide-line border-line border-y', className)}>
      {folds.map(({ key, title, content, open }) => (
        <details key={key} open={open} className="group">
          <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-4 font-semibold [&::-webkit-details-marker]:hidden">
            {title}
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 text-ink-3 transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="pb-5 text-ink-2">{content}</div>
        </details>
      ))}
    </div>
  )
}
