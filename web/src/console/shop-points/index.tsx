// Points (spec R204) or a coupon for many members at once, what was given so, and what is owed in points.
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
import type { BulkGrant, CouponGrant } from '../benefits/types'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { type AnyGrant, BULK_GRANTS, COUPON_GRANTS, type GrantKind, grantPath, isGoing, pollWhile } from './api'
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

function reasonColumn<T extends AnyGrant>(kind: GrantKind): Column<T> {
  return {
    id: 'memo',
    header: t.columns.memo,
    cell: (row) => (
      <>
        <Link
          to={grantPath(kind, row._id)}
          className="wrap-anywhere font-semibold underline underline-offset-2 hover:text-ink"
        >
          {row.memo}
        </Link>
        <DateText value={row.createdAt} style="datetime" className="figures block text-ink-3 text-xs" />
        {row.createdBy?.name && <span className="block text-ink-3 text-xs">{row.createdBy.name}</span>}
      </>
    ),
  }
}

const pointColumns: readonly Column<BulkGrant>[] = [
  reasonColumn('points'),
  { id: 'each', header: t.columns.each, align: 'right', cell: (row) => <Money amount={row.amounts} /> },
  { id: 'total', header: t.columns.total, align: 'right', cell: (row) => <Money amount={row.amount_total} /> },
  { id: 'used', header: t.columns.used, align: 'right', cell: (row) => <Money amount={row.amount_used} /> },
  { id: 'left', header: t.columns.left, align: 'right', cell: (row) => <Money amount={row.amount_left} /> },
  { id: 'state', header: t.columns.state, cell: (row) => <GrantProgress grant={row} /> },
]

const sheets = (n: number) => <span className="figures">{t.sheets(n)}</span>

const couponColumns: readonly Column<CouponGrant>[] = [
  reasonColumn('coupons'),
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
  { id: 'issued', header: t.columns.issued, align: 'right', cell: (row) => sheets(row.issued) },
  { id: 'used', header: t.columns.usedCoupons, align: 'right', cell: (row) => sheets(row.used) },
  { id: 'discount', header: t.columns.discount, align: 'right', cell: (row) => <Money amount={row.discount} /> },
  { id: 'state', header: t.columns.state, cell: (row) => <GrantProgress grant={row} /> },
]

const TABS = ['points', 'coupons', 'liability'] as const

export function Component() {
  const { params, set } = useListState()
  const id = params.get('id')
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'points'
  const [giving, setGiving] = useState(false)
  if (id) return <Detail key={id} kind={tab === 'coupons' ? 'coupons' : 'points'} id={id} />
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
        onValueChange={(to) => set({ tab: to === 'points' ? undefined : to })}
        tabs={[
          { value: 'points', label: t.tabs.points, content: tab === 'points' && <PointGrants /> },
          { value: 'coupons', label: t.tabs.coupons, content: tab === 'coupons' && <CouponGrants /> },
          { value: 'liability', label: t.tabs.liability, content: tab === 'liability' && <Liability /> },
        ]}
      />
      {giving && (
        <BulkGrantDialog
          kind={tab === 'coupons' ? 'coupons' : 'points'}
          coupon={params.get('_coupon') ?? undefined}
          onClose={() => setGiving(false)}
        />
      )}
    </main>
  )
}

function PointGrants() {
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
      caption={t.tabs.points}
      columns={pointColumns}
      {...shown(read, (answer) => answer.points)}
      rowId={(row) => row._id}
      empty={<EmptyState icon={<Users />} title={title} text={text} />}
    />
  )
}

function CouponGrants() {
  const { page, shown } = useListState()
  const read = useApiQuery(
    COUPON_GRANTS,
    { headers: paged(page, PAGE_SIZE) },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => pollWhile(state.data?.grants.some(isGoing) ?? false),
    },
  )
  const [title, text] = t.noCoupons
  return (
    <ListTable<CouponGrant>
      caption={t.tabs.coupons}
      columns={couponColumns}
      {...shown(read, (answer) => answer.grants)}
      rowId={(row) => row._id}
      empty={<EmptyState icon={<Users />} title={title} text={text} />}
    />
  )
}
