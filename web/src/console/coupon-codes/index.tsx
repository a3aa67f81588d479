// Codes of coupons to print: made in batches; how many were redeemed.
import { keepPreviousData } from '@tanstack/react-query'
import { Plus, Ticket } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { EmptyState } from '../../ui/states'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { batchPath, CODE_BATCHES, type CodeBatch } from './api'
import { Detail } from './Detail'
import { MakeDialog } from './MakeDialog'
import { codeWords as t } from './words'

const figure = (n: number) => <span className="figures">{t.pieces(n)}</span>

const columns: readonly Column<CodeBatch>[] = [
  {
    id: 'memo',
    header: t.columns.memo,
    cell: (row) => (
      <>
        <Link
          to={batchPath(row._id)}
          className="wrap-anywhere font-semibold underline underline-offset-2 hover:text-ink"
        >
          {row.memo}
        </Link>
        <DateText value={row.createdAt} style="datetime" className="figures block text-ink-3 text-xs" />
        {row.createdBy?.name && <span className="block text-ink-3 text-xs">{row.createdBy.name}</span>}
      </>
    ),
  },
  {
    id: 'coupon',
    header: t.columns.coupon,
    cell: (row) => (
      <Link
        to={`/console/shop/coupons?id=${row._coupon}`}
        className="wrap-anywhere underline underline-offset-2 hover:text-ink"
      >
        {row.couponName}
      </Link>
    ),
  },
  { id: 'handle', header: t.columns.handle, cell: (row) => <span className="figures">{row.handle}</span> },
  { id: 'count', header: t.columns.count, align: 'right', cell: (row) => figure(row.count) },
  { id: 'redeemed', header: t.columns.redeemed, align: 'right', cell: (row) => figure(row.redeemed) },
  { id: 'used', header: t.columns.used, align: 'right', cell: (row) => figure(row.used) },
  {
    id: 'state',
    header: t.columns.state,
    cell: (row) => (
      <Badge tone={row.stoppedAt ? 'bad' : 'good'}>{row.stoppedAt ? t.states.stopped : t.states.good}</Badge>
    ),
  },
]

export function Component() {
  const { params, page, shown } = useListState()
  const [making, setMaking] = useState(false)
  const id = params.get('id')
  const coupon = params.get('_coupon') ?? undefined
  const read = useApiQuery(
    CODE_BATCHES,
    { query: coupon ? { _coupon: coupon } : {}, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData, enabled: !id },
  )
  if (id) return <Detail key={id} id={id} />
  const [title, text] = t.none
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{t.title}</h1>
        <Button onClick={() => setMaking(true)}>
          <Plus aria-hidden />
          {t.make}
        </Button>
      </div>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <ListTable<CodeBatch>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.batches)}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<Ticket />} title={title} text={text} />}
      />
      {making && <MakeDialog coupon={coupon} onClose={() => setMaking(false)} />}
    </main>
  )
}
