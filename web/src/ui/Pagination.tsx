// Page links of a list: at most eleven numbers (spec V241), and the ends. With `hrefOf` the state is in the address.
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { pageButtons } from '../lib/pagination'
import { pressable } from './Button'
import { Link } from './Link'

type PaginationProps = {
  /** The current page, from 1. */
  page: number
  pages: number
  /** Name of the list, for a page with several. */
  label?: string
  className?: string
} & ({ hrefOf: (page: number) => string; onPage?: undefined } | { onPage: (page: number) => void; hrefOf?: undefined })

const STEP = 'inline-flex h-9 min-w-9 items-center justify-center rounded-sm px-1.5 text-sm transition-colors'

export function Pagination({ page, pages, label = '페이지', className, hrefOf, onPage }: PaginationProps) {
  const step = (to: number, name: string, content: ReactNode, key?: number) => {
    const current = key !== undefined && to === page
    const dead = to < 1 || to > pages || (key === undefined && to === page)
    const looks = cn(
      STEP,
      current ? 'bg-ink font-bold text-on-ink' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      // A phone has room for the nearest numbers only.
      key !== undefined && Math.abs(to - page) > 2 && 'max-xs:hidden',
      dead && 'pointer-events-none text-line-strong',
    )
    const common = { 'aria-label': name, 'aria-current': current ? ('page' as const) : undefined, className: looks }
    if (hrefOf && !dead) {
      return (
        <Link key={key} to={hrefOf(to)} {...common}>
          {content}
        </Link>
      )
    }
    return (
      <button key={key} type="button" {...pressable(dead, () => onPage?.(to))} {...common}>
        {content}
      </button>
    )
  }
  return (
    <nav aria-label={label} className={cn('figures flex flex-wrap items-center justify-center gap-0.5', className)}>
      {step(1, '첫 페이지', <ChevronsLeft aria-hidden className="size-4" />)}
      {step(page - 1, ko.action.previous, <ChevronLeft aria-hidden className="size-4" />)}
      {pageButtons(page, pages).map((n) => step(n, `${n} 페이지`, n, n))}
      {step(page + 1, ko.action.next, <ChevronRight aria-hidden className="size-4" />)}
      {step(pages, '마지막 페이지', <ChevronsRight aria-hidden className="size-4" />)}
    </nav>
  )
}
