// The states of the dispatch list, as tabs with the number of purchases in each.

import purchase from 'virtual:resource/purchase'
import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../api/query'
import { TabLinks } from '../../ui/Tabs'
import { useResourceListState } from '../crud/useResourceListState'
import { useSchema } from '../crud/useSchema'
import { dispatchWords as t } from './words'

export const STATES = ['new', 'preparing', 'late', 'shipping', 'arrived'] as const
export type DispatchState = (typeof STATES)[number]

export const statePath = (state: DispatchState): string => `/console/shop/dispatch/${state}`

/** The state of an address. */
export const stateOf = (pathname: string): DispatchState =>
  STATES.find((state) => pathname === statePath(state)) ?? 'new'

const SUMS = '/api/console/shop/purchases/dispatch'

/** Count and sums of each state, with the filters of the list. */
export function useDispatchSums() {
  const { query, remembered } = useResourceListState(useSchema(purchase))
  const { sort: _, ...conditions } = query
  const { data } = useApiQuery(SUMS, { query: conditions }, { placeholderData: keepPreviousData })
  return { sums: data?.states, remembered }
}

/** Filters stay from tab to tab: a tab's number matches its list. */
export function DispatchTabs({ className }: { className?: string }) {
  const { sums, remembered } = useDispatchSums()
  return (
    <TabLinks
      label={t.title}
      tabs={STATES.map((state) => ({
        to: { pathname: statePath(state), search: remembered },
        label: t.states[state],
        count: sums?.find((sum) => sum.state === state)?.purchases,
      }))}
      className={className}
    />
  )
}
