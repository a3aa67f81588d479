// A framed part of a page, and rows of facts.
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'

type CardProps = {
  title?: string /** The title's level in the page's outline. */
  headingLevel?: 2 | 3
  headerAction?: ReactNode
  noPadding?: boolean
  className?: string
  children: ReactNode
}

/** `noPadding` leaves the padding to the content. */
export function Card({ title, headingLevel = 2, headerAction, noPadding = false, className, children }: CardProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3'
  return (
    <section className={cn('rounded-lg border border-line bg-raised', !noPadding && 'p-5 md:p-6', className)}>
      {title && (
        <header className={cn('flex items-center justify-between gap-4', noPadding ? 'px-5 pt-5 md:px-6' : 'mb-4')}>
          <Heading className="font-bold text-lg">{title}</Heading>
          {headerAction}
        </header>
      )}
      {children}
    </section>
  )
}

/** Names and values in rows: sums, addresses, facts. */
export function Facts({
  rows,
  className,
}: {
  rows: readonly { name: string; value: ReactNode; strong?: boolean }[]
  className?: string
}) {
  return (
    <dl className={cn('grid gap-2.5', className)}>
      {rows.map((row) => (
        <div
          key={row.name}
          className={cn(
            'flex items-baseline justify-between gap-6',
            row.strong && 'mt-1.5 border-line border-t pt-4 font-bold text-lg',
          )}
        >
          <dt className={cn('shrink-0', !row.strong && 'text-ink-2')}>{row.name}</dt>
          <dd className="text-right">{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
