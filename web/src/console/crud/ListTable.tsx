// One page of a list: a table, on a phone a card per row, a placeholder while loading, or an error.
import { type ComponentProps, useEffect } from 'react'
import { pageCount } from '../../lib/pagination'
import { DataTable } from '../../ui/DataTable'
import { ErrorState, Loading, Skeleton } from '../../ui/states'

type TableProps<Row> = ComponentProps<typeof DataTable<Row>>

type ListTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  /** Undefined until they are loaded. */
  rows: readonly Row[] | undefined
  error: unknown
  onRetry: () => void
}

export function ListTable<Row>({ rows, error, onRetry, ...table }: ListTableProps<Row>) {
  const { columns, total, page, size, onPage, isFetching = false } = table
  // A page that no longer exists (its rows were deleted, an old link) falls back to the last one.
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
              {/* Cells without content are left out. */}
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
