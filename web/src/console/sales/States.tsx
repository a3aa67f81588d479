// The current states of the orders of a period.
import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../api/query'
import type { Days } from '../Period'
import { COUNTS, TABS } from '../purchases/tabs'
import { purchaseWords } from '../purchases/words'
import { type Figure, Plot } from './Plot'
import { salesWords } from './words'

const t = salesWords

type State = { label: string; count: number }

const COUNT: Figure<State> = { name: t.purchases, unit: 'pieces', of: ({ count }) => count }

export function States({ from, to }: Days) {
  const { data, error, refetch } = useApiQuery(
    COUNTS,
    { path: { manage: 'all' }, query: { from, to } },
    { placeholderData: keepPreviousData },
  )
  const states = TABS.filter((tab) => tab !== 'all')
  return (
    <Plot
      title={t.byState}
      of={t.state}
      shape="rows"
      points={data && states.map((tab) => ({ label: purchaseWords.tabs[tab], count: data.counts[tab] }))}
      figures={[COUNT]}
      drawn={COUNT}
      none={t.noOrders}
      error={error}
      onRetry={() => void refetch()}
    />
  )
}
