// The tabs of the purchases' list, each with the number of purchases that stand in it.
import { NavLink } from 'react-router'
import { useRead } from '../../api/read'
import { cn } from '../../lib/cn'
import { words } from '../words'

export type Tab = keyof typeof words.tabs
export type TabCounts = Record<Tab, number>

export const TABS = Object.keys(words.tabs) as Tab[]
const BASE = '/console/shop/purchases'

export const tabPath = (tab: Tab): string => `${BASE}/${tab}`

/** The tab of an address. */
export const tabOf = (pathname: string): Tab => TABS.find((tab) => pathname === tabPath(tab)) ?? 'all'

/** Tells how many purchases stand in each tab, of a period if one is named. */
export const COUNTS = '/api/console/shop/purchases/dashboard/{manage}'

export const useTabCounts = (query: { from?: string; to?: string } = {}) =>
  useRead(COUNTS, { path: { manage: 'all' }, query })

export function PurchaseTabs({ className }: { className?: string }) {
  const { data } = useTabCounts()
  return (
    <nav aria-label="주문상품" className={cn('flex gap-5 overflow-x-auto border-line border-b', className)}>
      {TABS.map((tab) => (
        <NavLink
          key={tab}
          to={tabPath(tab)}
          className="-mb-px flex h-12 shrink-0 items-center gap-1.5 border-transparent border-b-2 font-medium text-ink-2 transition-colors hover:text-ink focus-visible:outline-offset-[-2px] aria-[current=page]:border-ink aria-[current=page]:font-bold aria-[current=page]:text-ink"
        >
          {words.tabs[tab]}
          {data && <span className="figures text-ink-3 text-sm">{data.counts[tab]}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
