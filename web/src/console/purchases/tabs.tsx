// The tabs of the purchase list, each with its number of purchases.

import purchase from 'virtual:resource/purchase'
import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../api/query'
import { TabLinks } from '../../ui/Tabs'
import { useResourceListState } from '../crud/useResourceListState'
import { useSchema } from '../crud/useSchema'
import { purchaseWords } from './words'

export type Tab = keyof typeof purchaseWords.tabs
export type TabCounts = Record<Tab, number>

export const TABS = Object.keys(purchaseWords.tabs) as Tab[]
const BASE = '/console/shop/purchases'

export const tabPath = (tab: Tab): string => `${BASE}/${tab}`

/** The tab of an address. */
export const tabOf = (pathname: string): Tab => TABS.find((tab) => pathname === tabPath(tab)) ?? 'all'

/** Counts the purchases of each tab that match the list's filters. */
export const COUNTS = '/api/console/shop/purchases/dashboard/{manage}'

type Conditions = { from?: string; to?: string; searchValue?: string }

export const useTabCounts = (query: Conditions = {}) =>
  useApiQuery(COUNTS, { path: { manage: 'all' }, query }, { placeholderData: keepPreviousData })

/** Filters stay from tab to tab: a tab's number matches its list. */
export function PurchaseTabs({ className }: { className?: string }) {
  const { query, remembered } = useResourceListState(useSchema(purchase))
  const { sort: _, ...conditions } = query
  const { data } = useTabCounts(conditions)
  return (
    <TabLinks
      label="주문상품"
      tabs={TABS.map((tab) => ({
        to: { pathname: tabPath(tab), search: remembered },
        label: purchaseWords.tabs[tab],
        count: data?.counts[tab],
      }))}
      className={className}
    />
  )
}
