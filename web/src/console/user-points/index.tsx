// Points that members were given, one row a grant (spec R218): to grant some, take back what is left, and change the last day.
import { keepPreviousData } from '@tanstack/react-query'
import { Coins, Plus } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { Button, ButtonLink } from '../../ui/Button'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { EmptyState } from '../../ui/states'
import { lastDayOf, MemberName } from '../benefits/fields'
import { ListFilters, NoMatch, OnlyThese, useBenefitList } from '../benefits/ListFilters'
import type { GrantState, PointGrant } from '../benefits/types'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { GrantActions, GrantBadge } from './cells'
import { GRANTS, GrantDialog } from './commands'
import { Detail } from './Detail'
import { pointWords as t } from './words'

const STATES = Object.keys(t.states) as GrantState[]

const columns: readonly Column<PointGrant>[] = [
  {
    id: 'member',
    header: t.columns.member,
    cell: (row) => <MemberName row={row} to={`/console/user-points?id=${row._id}`} />,
  },
  {
    id: 'reason',
    header: t.columns.reason,
    cell: (row) => (
      <>
        <p className="wrap-anywhere line-clamp-2">{row.reason}</p>
        <p className="figures text-ink-3 text-xs">
          <DateText value={row.createdAt} style="datetime" />
          {row._grant && ` · ${t.bulk}`}
        </p>
      </>
    ),
  },
  { id: 'amounts', header: t.columns.amounts, align: 'right', cell: (row) => <Money amount={row.amounts} /> },
  { id: 'used', header: t.columns.used, align: 'right', cell: (row) => <Money amount={row.amount_used} /> },
  {
    id: 'left',
    header: t.columns.left,
    align: 'right',
    cell: (row) => <Money amount={row.amount_left} className="font-semibold" />,
  },
  {
    id: 'lastDay',
    header: t.columns.lastDay,
    cell: (row) => <DateText value={lastDayOf(row.expiresAt)} className="figures text-ink-2" />,
  },
  { id: 'state', header: t.columns.state, cell: (row) => <GrantBadge grant={row} /> },
  { id: 'action', header: t.columns.action, align: 'right', cell: (row) => <GrantActions grant={row} /> },
]

export function Component() {
  const { params } = useListState()
  const id = params.get('id')
  return id ? <Detail key={id} id={id} /> : <GrantList />
}

function GrantList() {
  const listing = useBenefitList(STATES, ['_grant'])
  const { page, shown, state, filters, isFiltered, clear, set } = listing
  const [giving, setGiving] = useState(false)
  const read = useApiQuery(
    GRANTS,
    { query: listing.query, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const [title, text] = t.none
  const give = (
    <Button onClick={() => setGiving(true)}>
      <Plus aria-hidden />
      {t.give}
    </Button>
  )
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{t.title}</h1>
        <div className="flex flex-wrap gap-2 max-xs:w-full max-xs:[&>*]:flex-1">
          <ButtonLink to="/console/shop/points" variant="outline">
            {t.giveMany}
          </ButtonLink>
          {give}
        </div>
      </div>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <ListFilters
        listing={listing}
        state={state}
        states={STATES.map((value) => ({ value, label: t.states[value] }))}
      />
      {filters._grant && <OnlyThese what={t.onlyBulk} onClear={() => set({ _grant: undefined })} />}
      {read.data && (
        <p aria-live="polite" className="mt-4 text-ink-2 text-sm">
          {t.sum} <Money amount={read.data.summary.amount_left} className="font-bold text-ink" />
        </p>
      )}
      <ListTable<PointGrant>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.points)}
        isFetching={read.isPlaceholderData}
        rowId={(row) => row._id}
        empty={
          isFiltered ? (
            <NoMatch onClear={clear} />
          ) : (
            <EmptyState icon={<Coins />} title={title} text={text} action={give} />
          )
        }
      />
      {giving && <GrantDialog user={filters._user} onClose={() => setGiving(false)} />}
    </main>
  )
}
