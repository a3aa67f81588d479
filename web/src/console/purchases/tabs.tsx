// The tabs of the purchases' list, each with the number of purchases that stand in it.

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

/** Tells how many purchases stand in each tab, of those that pass the list's conditions. */
export const COUNTS = '/api/console/shop/purchases/dashboard/{manage}'

type Conditions = { from?: string; to?: string; searchValue?: string }

export const useTabCounts = (query: Conditions = {}) =>
  useApiQuery(COUNTS, { path: { manage: 'all' }, query }, { placeholderData: keepPreviousData })

/** The conditions go along from tab to tab: what a number counts is what its tab shows. */
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
