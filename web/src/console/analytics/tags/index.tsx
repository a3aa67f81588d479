// Searched terms and clicked tags: the ranking of a period compared with as many days before (spec V092, V246).
import { keepPreviousData } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useApiQuery } from '../../../api/query'
import type { LogType } from '../../../features/search/logTerm'
import { changeOf, type RankedTerm } from '../../../features/search/searchTrends'
import { Chips } from '../../../ui/Checkbox'
import type { Column } from '../../../ui/DataTable'
import { RankDelta } from '../../../ui/RankDelta'
import { EmptyState } from '../../../ui/states'
import { ListTable } from '../../crud/ListTable'
import { PeriodPicker, usePeriod } from '../../Period'
import { PAGE_SIZE, useListState } from '../../useListState'
import { searchTermWords } from './words'

const t = searchTermWords
/** Length of the ranking: the maximum of one response. */
const PLACES = 100
const TYPES: readonly LogType[] = ['SEARCH', 'TAG']
type Place = RankedTerm & { place: number }

const columns: readonly Column<Place>[] = [
  { id: 'term', header: t.term, width: '50%', cell: ({ _id }) => <span className="font-semibold">{_id}</span> },
  { id: 'place', header: t.place, align: 'right', cell: ({ place }) => <span className="figures">{place}</span> },
  {
    id: 'change',
    header: t.change,
    align: 'right',
    cell: (row) => <RankDelta change={changeOf(row)} by={row.diff ?? undefined} />,
  },
  {
    id: 'count',
    header: t.count,
    align: 'right',
    cell: ({ count }) => <span className="figures">{t.people(count)}</span>,
  },
]

export function Component() {
  const { params, page, onPage, set } = useListState()
  const period = usePeriod()
  const { from, to } = period
  const type = TYPES.find((one) => one === params.get('type')) ?? 'SEARCH'
  const read = useApiQuery(
    '/api/v1/shop/logs',
    { query: { type, createdAt: `${from},${to}` }, headers: { limit: String(PLACES) } },
    { placeholderData: keepPreviousData },
  )
  // Terms with equal counts share a rank.
  const ranking = read.data?.logs.map((one, _, all) => ({
    ...one,
    place: all.findIndex(({ count }) => count === one.count) + 1,
  }))
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <p className="basis-full text-ink-2 text-sm">{t.how}</p>
        <Chips
          label={t.type}
          options={TYPES.map((value) => ({ value, label: t.types[value] }))}
          value={type}
          onValueChange={(value) => set({ type: value === 'SEARCH' ? undefined : value })}
        />
        <PeriodPicker {...period} />
      </div>
      <ListTable<Place>
        caption={t.title}
        columns={columns}
        rows={ranking?.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        total={ranking?.length ?? 0}
        page={page}
        size={PAGE_SIZE}
        onPage={onPage}
        isFetching={read.isPlaceholderData}
        error={read.data ? null : read.error}
        onRetry={() => void read.refetch()}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<Search />} title={t.none[type]} text={t.noneText} />}
      />
    </main>
  )
}
