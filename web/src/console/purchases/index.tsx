// The purchases of a tab: found, sorted and paged by the server; chosen ones are worked on together.
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { paged } from '../../api/client'
import { useRead } from '../../api/read'
import { StatusBadge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { type Column, DataTable } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Money } from '../../ui/Money'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { PAGE_SIZE, useListing } from '../listing'
import { SearchBar } from '../SearchBar'
import type { Action, PurchaseInList } from '../wire'
import { words } from '../words'
import { ActDialog } from './ActDialog'
import { BULK, common, type Outcome } from './acts'
import { PurchaseTabs, type Tab, tabOf } from './tabs'

const t = words.list

export function Component() {
  const tab = tabOf(useLocation().pathname)
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{tab === 'all' ? '주문상품' : `주문상품 · ${words.tabs[tab]}`}</h1>
      <PurchaseTabs className="mt-4" />
      {/* A tab is a list of its own: nothing chosen in one is chosen in the next. */}
      <Purchases key={tab} tab={tab} />
    </main>
  )
}

const orderLink = (row: PurchaseInList): string => `/console/shop/orders/${row._order}`

const columns: readonly Column<PurchaseInList>[] = [
  {
    // Two lines a cell, so that all of it is in sight beside the menu on a small screen.
    id: 'createdAt',
    header: `${t.columns.orderNo} · ${t.columns.createdAt}`,
    sortable: true,
    cell: (row) => (
      <>
        <Link
          to={orderLink(row)}
          className="figures whitespace-nowrap font-semibold underline-offset-4 hover:underline"
        >
          {row.purchaseNo}
        </Link>
        <DateText value={row.createdAt} style="datetime" className="figures block text-ink-3 text-xs" />
      </>
    ),
  },
  {
    id: 'product',
    header: t.columns.product,
    width: '38%',
    cell: (row) => (
      <>
        <p className="line-clamp-2 min-w-40">{row.name}</p>
        <p className="text-ink-3 text-xs">
          {[row.optionName, row.seller.nickname].filter(Boolean).join(' · ')}
          {row.claim && <span className="block text-warning">{row.claim.reason}</span>}
        </p>
      </>
    ),
  },
  {
    id: 'paid',
    header: t.columns.paid,
    align: 'right',
    cell: (row) => (
      <>
        <Money amount={row.paid} className="font-semibold" />
        <span className="figures block text-ink-3 text-xs">{t.pieces(row.quantity)}</span>
      </>
    ),
  },
  {
    id: 'people',
    header: t.columns.people,
    width: '7.5rem',
    cell: (row) => (
      <>
        <p className="line-clamp-2">{row.buyerName ?? t.forgotten}</p>
        {row.receiverName !== row.buyerName && (
          <p className="line-clamp-2 text-ink-3 text-xs">{t.receivedBy(row.receiverName ?? t.forgotten)}</p>
        )}
      </>
    ),
  },
  { id: 'status', header: t.columns.status, cell: (row) => <StatusBadge {...row} /> },
]

function Purchases({ tab }: { tab: Tab }) {
  const listing = useListing()
  const { page, sort, sortText, search, from, to } = listing
  const { data, error, isPending, isPlaceholderData, refetch } = useRead(
    '/api/console/shop/purchases',
    {
      query: { tab, searchValue: search || undefined, from: from || undefined, to: to || undefined, sort: sortText },
      headers: paged(page, PAGE_SIZE),
    },
    { placeholderData: keepPreviousData },
  )
  const [chosen, setChosen] = useState<readonly PurchaseInList[]>([])
  const [acting, setActing] = useState<Action>()

  // Rows on screen are newer than what was remembered when they were chosen on another page.
  const onPage = new Map(data?.purchases.map((row) => [row.purchaseNo, row]))
  const rows = chosen.map((row) => onPage.get(row.purchaseNo) ?? row)
  const choose = (ids: string[]) => {
    const known = new Map([...chosen.map((row) => [row.purchaseNo, row] as const), ...onPage])
    setChosen(ids.flatMap((id) => known.get(id) ?? []))
  }
  const allowed = common(rows, BULK)
  const forget = (outcomes: Outcome[]) => {
    const done = new Set(outcomes.filter((outcome) => !outcome.refusal).map((outcome) => outcome.purchaseNo))
    setChosen((before) => before.filter((row) => !done.has(row.purchaseNo)))
  }
  const [targets, setTargets] = useState<readonly PurchaseInList[]>([])
  const start = (action: Action) => {
    setTargets(rows)
    setActing(action)
  }

  return (
    <>
      <SearchBar listing={listing} hint={t.search} period className="mt-5" />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <TableOutline />
      ) : (
        <DataTable
          className="mt-4"
          caption={words.tabs[tab]}
          columns={columns}
          rows={data.purchases}
          rowId={(row) => row.purchaseNo}
          total={data.summary.totalCount}
          page={page}
          size={PAGE_SIZE}
          onPage={listing.onPage}
          sort={sort ?? { id: 'createdAt', desc: true }}
          onSort={listing.onSort}
          busy={isPlaceholderData}
          selected={rows.map((row) => row.purchaseNo)}
          onSelected={choose}
          bulk={
            allowed.length > 0 ? (
              allowed.map((action) => (
                <Button key={action} size="sm" variant="outline" onClick={() => start(action)}>
                  {words.action[action]}
                </Button>
              ))
            ) : (
              <span className="text-ink-3">{t.selectFirst}</span>
            )
          }
          empty={<EmptyState title={t.empty} />}
          card={(row) => <PurchaseCard row={row} />}
        />
      )}
      {acting && (
        <ActDialog
          key={acting}
          action={acting}
          rows={targets}
          onDone={forget}
          onClose={() => {
            setActing(undefined)
          }}
        />
      )}
    </>
  )
}

function PurchaseCard({ row }: { row: PurchaseInList }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <Link to={orderLink(row)} className="figures font-semibold underline underline-offset-4">
          {row.purchaseNo}
        </Link>
        <StatusBadge {...row} />
      </div>
      <p className="line-clamp-2">{[row.name, row.optionName].filter(Boolean).join(' · ')}</p>
      <p className="flex flex-wrap justify-between gap-x-3 text-ink-2 text-sm">
        <span>
          {row.buyerName ?? t.forgotten} / {row.receiverName ?? t.forgotten}
        </span>
        <span>
          {t.pieces(row.quantity)} · <Money amount={row.paid} />
        </span>
      </p>
      <DateText value={row.createdAt} style="datetime" className="figures text-ink-3 text-xs" />
    </div>
  )
}

const OUTLINE_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function TableOutline() {
  return (
    <Loading className="mt-14 grid gap-px overflow-hidden rounded-lg border border-line bg-line">
      {OUTLINE_ROWS.map((row) => (
        <span key={row} className="flex h-15 items-center gap-6 bg-raised px-4">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="h-4 w-20" />
        </span>
      ))}
    </Loading>
  )
}
