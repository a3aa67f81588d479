// A list of records: searched and paged by the server, each row a link to its page.
import { keepPreviousData } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paged } from '../../api/client'
import { useRead } from '../../api/read'
import { Badge } from '../../ui/Badge'
import { ButtonLink } from '../../ui/Button'
import { type Column, DataTable } from '../../ui/DataTable'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { PAGE_SIZE, useListing } from '../listing'
import { SearchBar } from '../SearchBar'
import type { ListAnswer } from '../wire'
import { words } from '../words'

/** What every record in a list has. */
export type Row = { _id: string; name: string; version: number; removed?: boolean; updatedAt: string }

type RecordListProps<R extends Row> = {
  path: string
  /** Many, on the wire. */
  many: string
  title: string
  hint: string
  columns: readonly Column<R>[]
  pageOf: (id: string) => string
  createPage: string
  card: (row: R) => ReactNode
}

export function RecordList<R extends Row>(props: RecordListProps<R>) {
  const { path, many, title, hint, columns, pageOf, createPage, card } = props
  const listing = useListing()
  const { page, search } = listing
  const { data, error, isPlaceholderData, refetch } = useRead<ListAnswer & Record<string, R[]>>(
    path,
    { query: { searchValue: search || undefined }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const name = (row: R) => (
    <>
      <Link to={pageOf(row._id)} className="font-semibold underline-offset-4 hover:underline">
        {row.name}
      </Link>{' '}
      {row.removed && <Badge tone="bad">{words.record.removedBadge}</Badge>}
    </>
  )
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{title}</h1>
        <ButtonLink to={createPage}>
          <Plus aria-hidden />
          {words.record.add}
        </ButtonLink>
      </div>
      <SearchBar listing={listing} hint={hint} className="mt-5" />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading className="mt-14">
          <Skeleton className="h-96" />
        </Loading>
      ) : (
        <DataTable<R>
          className="mt-4"
          caption={title}
          columns={[{ id: 'name', header: '이름', width: '35%', cell: name }, ...columns]}
          rows={data[many] ?? []}
          rowId={(row) => row._id}
          total={data.summary.totalCount}
          page={page}
          size={PAGE_SIZE}
          onPage={listing.onPage}
          busy={isPlaceholderData}
          empty={<EmptyState title={words.list.empty} />}
          card={(row) => (
            <div className="grid gap-1">
              <p>{name(row)}</p>
              {card(row)}
            </div>
          )}
        />
      )}
    </main>
  )
}
