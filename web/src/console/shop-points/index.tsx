// Points for many members at once (spec R204), and what is owed in points.
import { keepPreviousData } from '@tanstack/react-query'
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { Button } from '../../ui/Button'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { missing, optional } from '../../ui/Optional'
import { EmptyState, Loading, Skeleton } from '../../ui/states'
import { Tabs } from '../../ui/Tabs'
import type { BulkGrant } from '../benefits/types'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { BULK_GRANTS, isGoing, pollWhile } from './api'
import { BulkGrantDialog } from './BulkGrantDialog'
import { GrantProgress } from './cells'
import { Detail } from './Detail'
import { bulkWords as t } from './words'

/** It brings the plots along. */
const Liability = optional(() => import('./Liability'), {
  waiting: () => (
    <Loading>
      <Skeleton className="h-72" />
    </Loading>
  ),
  instead: missing,
})

const columns: readonly Column<BulkGrant>[] = [
  {
    id: 'memo',
    header: t.columns.memo,
    cell: (row) => (
      <>
        <Link
          to={`/console/shop/points?id=${row._id}`}
          className="wrap-anywhere font-semibold underline underline-offset-2 hover:text-ink"
        >
          {row.memo}
        </Link>
        <DateText value={row.createdAt} style="datetime" className="figures block text-ink-3 text-xs" />
      </>
    ),
  },
  { id: 'each', header: t.columns.each, align: 'right', cell: (row) => <Money amount={row.amounts} /> },
  { id: 'total', header: t.columns.total, align: 'right', cell: (row) => <Money amount={row.amount_total} /> },
  { id: 'used', header: t.columns.used, align: 'right', cell: (row) => <Money amount={row.amount_used} /> },
  { id: 'left', header: t.columns.left, align: 'right', cell: (row) => <Money amount={row.amount_left} /> },
  { id: 'state', header: t.columns.state, cell: (row) => <GrantProgress grant={row} /> },
]

export function Component() {
  const { params, set } = useListState()
  const id = params.get('id')
  const tab = params.get('tab') === 'liability' ? 'liability' : 'grants'
  const [giving, setGiving] = useState(false)
  if (id) return <Detail key={id} id={id} />
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
        {give}
      </div>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <Tabs
        label={t.title}
        className="mt-4"
        value={tab}
        onValueChange={(to) => set({ tab: to === 'grants' ? undefined : to })}
        tabs={[
          { value: 'grants', label: t.tabs.grants, content: tab === 'grants' && <BulkGrants /> },
          { value: 'liability', label: t.tabs.liability, content: tab === 'liability' && <Liability /> },
        ]}
      />
      {giving && <BulkGrantDialog onClose={() => setGiving(false)} />}
    </main>
  )
}

function BulkGrants() {
  const { page, shown } = useListState()
  const read = useApiQuery(
    BULK_GRANTS,
    { headers: paged(page, PAGE_SIZE) },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => pollWhile(state.data?.points.some(isGoing) ?? false),
    },
  )
  const [title, text] = t.none
  return (
    <ListTable<BulkGrant>
      caption={t.title}
      columns={columns}
      {...shown(read, (answer) => answer.points)}
      rowId={(row) => row._id}
      empty={<EmptyState icon={<Users />} title={title} text={text} />}
    />
  )
}
