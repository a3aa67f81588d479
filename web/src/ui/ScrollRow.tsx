// A row wider than the page: swiped on a phone, scrolled with arrow buttons on desktop, which show where there is more.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { scrollManner } from '../lib/media'
import { useScrollEdges } from './useScrollEdges'

type ScrollRowProps = {
  label: string
  items: readonly { key: string; content: ReactNode }[]
  itemClass?: string
  className?: string
}

const ARROW =
  'absolute top-[38%] z-10 hidden size-11 -translate-y-1/2 items-center justify-center rounded-full border border-line bg-raised shadow-pop hover:bg-sunken md:flex'

export function ScrollRow({ label, items, itemClass, className }: ScrollRowProps) {
  const row = useRef<HTMLUListElement>(null)
  const ends = useScrollEdges(row)
  const go = (direction: 1 | -1) =>
    row.current?.scrollBy({ left: direction * row.current.clientWidth * 0.9, behavior: scrollManner() })
  return (
    <div className={cn('relative', className)}>
      {ends.left && (
        <button
          type="button"
          aria-label={`${label} ${ko.action.previous}`}
          onClick={() => go(-1)}
          className={cn(ARROW, '-left-5')}
        >
          <ChevronLeft aria-hidden className="size-5" />
        </button>
      )}
      <ul
        ref={row}
        aria-label={label}
        tabIndex={ends.left || ends.right ? 0 : undefined}
        className="-mx-5 flex snap-x snap-mandatory gap-3 overflow-x-auto scroll-px-5 px-5 [scrollbar-width:none] md:mx-0 md:gap-5 md:scroll-px-0 md:px-0"
      >
        {items.map((item) => (
          <li key={item.key} className={cn('shrink-0 snap-start', itemClass)}>
            {item.content}
          </li>
        ))}
      </ul>
      {ends.right && (
        <button
          type="button"
          aria-label={`${label} ${ko.action.next}`}
          onClick={() => go(1)}
          className={cn(ARROW, '-right-5')}
        >
          <ChevronRight aria-hidden className="size-5" />
        </button>
      )}
    </div>
  )
}
