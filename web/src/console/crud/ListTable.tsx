// One page of a list as the console shows it: a table, on a phone a card for each row, an outline while it is read, or why it is not there.
import { type ComponentProps, useEffect } from 'react'
import { pageCount } from '../../lib/pagination'
import { DataTable } from '../../ui/DataTable'
import { ErrorState, Loading, Skeleton } from '../../ui/states'

type TableProps<Row> = ComponentProps<typeof DataTable<Row>>

type ListTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  /** Nothing until they are read. */
  rows: readonly Row[] | undefined
  error: unknown
  onRetry: () => void
}

export function ListTable<Row>({ rows, error, onRetry, ...table }: ListTableProps<Row>) {
  const { columns, total, page, size, onPage, isFetching = false } = table
  // A page that is no more (its rows were removed, a link was old) gives way to the last one.
  const pages = pageCount(total, size)
  useEffect(() => {
    if (rows && !isFetching && page > 1 && page > pages) onPage(pages)
  })
  if (error) return <ErrorState error={error} onRetry={onRetry} />
  if (!rows)
    return (
      <Loading className="mt-14">
        <Skeleton className="h-96" />
      </Loading>
    )
  return (
    <DataTable<Row>
      {...table}
      className="mt-4"
      rows={rows}
      renderMobileRow={
        table.renderMobileRow ??
        ((row) => (
          <div className="grid gap-2">
            <div>{columns[0]?.cell(row)}</div>
            <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 text-sm">
              {/* What a row has nothing to say to is left out. */}
              {columns.slice(1).map((column) => (
                <div key={column.id} className="contents has-[dd:empty]:hidden">
                  <dt className="text-ink-3">{column.header}</dt>
                  <dd className="min-w-0 text-right">{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))
      }
    />
  )
}
