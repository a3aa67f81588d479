// A number on an icon: items in the cart, unread notifications. Hidden at zero; screen readers get it from the icon's label.
import { cn } from '../lib/cn'

const MOST = 99

/** A count as a badge shows it; an accessible name repeats it in these letters. */
export const shownCount = (count: number): string => (count > MOST ? `${MOST}+` : String(count))

export function CountBadge({ count, className }: { count: number; className?: string }) {
  if (count <= 0) return null
  return (
    <span
      aria-hidden
      className={cn(
        'figures absolute -top-1.5 -right-2 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-accent px-1 font-bold text-[0.6875rem] text-on-accent leading-none',
        className,
      )}
    >
      {shownCount(count)}
    </span>
  )
}
