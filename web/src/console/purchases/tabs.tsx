// The tabs of the purchases' list, each with the number of purchases that stand in it.
import { keepPreviousData } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { useRead } from '../../api/read'
import { cn } from '../../lib/cn'
import { useKindListing } from '../kit/listing'
import { useKind } from '../kit/useKind'
import { words } from '../words'

export type Tab = keyof typeof words.tabs
export type TabCounts = Record<Tab, number>

export const TABS = Object.keys(words.tabs) as Tab[]
const BASE = '/console/shop/purchases'

export const tabPath = (tab: Tab): string => `${BASE}/${tab}`

/** The tab of an address. */
export const tabOf = (pathname: string): Tab => TABS.find((tab) => pathname === tabPath(tab)) ?? 'all'

/** Tells how many purchases stand in each tab, of those that pass the list's conditions. */
export const COUNTS = '/api/console/shop/purchases/dashboard/{manage}'

type Conditions = { from?: string; to?: string; searchValue?: string }

export const useTabCounts = (query: Conditions = {}) =>
  useRead(COUNTS, { path: { manage: 'all' }, query }, { placeholderData: keepPreviousData })

/** The conditions go along from tab to tab: what a number counts is what its tab shows. */
export function PurchaseTabs({ className }: { className?: string }) {
  const { query, remembered } = useKindListing(useKind('purchase'))
  const { sort: _, ...conditions } = query
  const { data } = useTabCounts(conditions)
  return (
    <nav aria-label="주문상품" className={cn('flex gap-5 overflow-x-auto border-line border-b', className)}>
      {TABS.map((tab) => (
        <NavLink
          key={tab}
          to={{ pathname: tabPath(tab), search: remembered }}
          className="-mb-px flex h-12 shrink-0 items-center gap-1.5 border-transparent border-b-2 font-medium text-ink-2 transition-colors hover:text-ink focus-visible:outline-offset-[-2px] aria-[current=page]:border-ink aria-[current=page]:font-bold aria-[current=page]:text-ink"
        >
          {words.tabs[tab]}
          {data && <span className="figures text-ink-3 text-sm">{data.counts[tab]}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
