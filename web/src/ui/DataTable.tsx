// A table of one page of rows; paging, sorting and counting are done by the server. The only place that calls useReactTable.
import {
  type ColumnDef,
  getCoreRowModel,
  type RowSelectionState,
  type SortingState,
  useReactTable,
} from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { grouped } from '../i18n/number'
import { cn } from '../lib/cn'
import { pageCount } from '../lib/pagination'
import { Button } from './Button'
import { Checkbox } from './Checkbox'
import { isLetter, usePageKeys } from './keys'
import { Pagination } from './Pagination'
import { EmptyState } from './states'

/** Its texts. */
const t = {
  selectAll: '이 페이지 모두 선택',
  selectRow: (n: number) => `${n}번째 행 선택`,
  selected: (n: number) => `${n}개 선택`,
  clear: '선택 해제',
  total: (n: number) => `전체 ${grouped(n)}건`,
  sortBy: (name: string) => `${name} 정렬`,
}

/** A column. The server sorts `sortable` ones by their id. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  sortable?: boolean
  align?: 'left' | 'right' | 'center'
  /** Any CSS width. */
  width?: string
}

export type Sort = { id: string; desc: boolean }

type DataTableProps<Row> = {
  /** Caption for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Total number of rows (`summary.totalCount`). */
  total: number
  page: number
  size: number
  onPage: (page: number) => void
  sort?: Sort
  onSort?: (sort: Sort | undefined) => void
  /** Ids of selected rows; the selection survives paging. */
  selected?: readonly string[]
  onSelected?: (ids: string[]) => void
  /** Actions on the selected rows. */
  bulkActions?: ReactNode
  /** Controls at the right end of the line above the table. */
  toolbar?: ReactNode
  onRowClick?: (row: Row) => void
  /** A new page is loading; the old one stays, dimmed. */
  isFetching?: boolean
  empty?: ReactNode
  /** A row below 1024 px; without it the table scrolls sideways. */
  renderMobileRow?: (row: Row) => ReactNode
  className?: string
}

/** Shadows at edges with more columns beyond; covered where the table ends. */
const EDGES = [
  'linear-gradient(to right, var(--c-raised) 35%, transparent) left / 2.5rem 100% no-repeat local',
  'linear-gradient(to left, var(--c-raised) 35%, transparent) right / 2.5rem 100% no-repeat local',
  'linear-gradient(to right, color-mix(in srgb, var(--c-ink) 18%, transparent), transparent) left / 0.875rem 100% no-repeat',
  'linear-gradient(to left, color-mix(in srgb, var(--c-ink) 18%, transparent), transparent) right / 0.875rem 100% no-repeat',
  'var(--c-raised)',
].join(', ')

const ALIGN = { left: 'text-left', right: 'whitespace-nowrap text-right', center: 'text-center' }

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowId,
    total,
    page,
    size,
    onPage,
    sort,
    onSort,
    selected,
    onSelected,
    bulkActions,
    onRowClick,
    isFetching = false,
    renderMobileRow,
  } = props
  const sorting: SortingState = sort ? [sort] : []
  const rowSelection: RowSelectionState = Object.fromEntries((selected ?? []).map((id) => [id, true]))
  const table = useReactTable<Row>({
    data: rows as Row[],
    columns: columns.map(
      (column): ColumnDef<Row> => ({
        id: column.id,
        enableSorting: column.sortable === true && onSort !== undefined,
        accessorFn: () => undefined,
      }),
    ),
    getRowId: rowId,
    state: { sorting, rowSelection, pagination: { pageIndex: page - 1, pageSize: size } },
    manualSorting: true,
    manualPagination: true,
    rowCount: total,
    enableRowSelection: onSelected !== undefined,
    getCoreRowModel: getCoreRowModel(),
    onSortingChange: (update) => onSort?.((typeof update === 'function' ? update(sorting) : update)[0]),
    onRowSelectionChange: (update) => {
      const next = typeof update === 'function' ? update(rowSelection) : update
      onSelected?.(Object.keys(next).filter((id) => next[id]))
    },
  })
  const shape = (id: string): Column<Row> | undefined => columns.find((column) => column.id === id)
  const count = selected?.length ?? 0
  const byKey = onRowClick !== undefined || onSelected !== undefined
  // Roving tabindex: one row can be tabbed to; the arrow keys move from there.
  const [turn, setTurn] = useState(0)
  const body = useRef<HTMLTableSectionElement>(null)
  usePageKeys({
    move:
      byKey && rows.length > 0
        ? () => body.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus()
        : undefined,
    open: onRowClick !== undefined,
    select: onSelected !== undefined,
    seen: () => body.current?.checkVisibility?.() ?? true,
  })
  const press = (event: KeyboardEvent<HTMLTableRowElement>, row: Row, toggle: () => void) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const line = event.currentTarget
    const next = {
      ArrowDown: line.nextElementSibling,
      ArrowUp: line.previousElementSibling,
      Home: line.parentElement?.firstElementChild,
      End: line.parentElement?.lastElementChild,
    }[isLetter(event, 'j') ? 'ArrowDown' : isLetter(event, 'k') ? 'ArrowUp' : event.key]
    if (next instanceof HTMLElement) next.focus()
    else if (event.key === 'Enter') onRowClick?.(row)
    else if ((event.key === ' ' || isLetter(event, 'x')) && onSelected) toggle()
    else return
    event.preventDefault()
  }

  return (
    <div className={props.className} aria-busy={isFetching}>
      <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 pb-2 text-sm">
        {total > 0 && <span className="figures text-ink-2">{t.total(total)}</span>}
        {count > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="figures font-semibold">{t.selected(count)}</span>
            <Button size="sm" variant="ghost" onClick={() => onSelected?.([])}>
              {t.clear}
            </Button>
            {bulkActions}
          </div>
        )}
        {props.toolbar && total > 0 && <div className="ml-auto flex flex-wrap items-center gap-1">{props.toolbar}</div>}
      </div>
      {rows.length === 0 ? (
        (props.empty ?? <EmptyState />)
      ) : (
        <>
          {renderMobileRow && (
            <ul className={cn('grid gap-3 md:hidden', isFetching && 'opacity-50')}>
              {table.getRowModel().rows.map((row, i) => (
                <li key={row.id} className="flex gap-3 rounded-lg border border-line bg-raised p-4">
                  {onSelected && (
                    <Checkbox
                      hideLabel
                      label={t.selectRow(i + 1)}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  )}
                  <div className="min-w-0 flex-1">{renderMobileRow(row.original)}</div>
                </li>
              ))}
            </ul>
          )}
          <section
            aria-label={caption}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
            tabIndex={0}
            style={{ background: EDGES }}
            className={cn('overflow-x-auto rounded-lg border border-line', renderMobileRow && 'max-md:hidden')}
          >
            {/* A column is at least as wide as its longest word. */}
            <table
              className={cn(
                'w-full border-collapse text-sm transition-opacity [overflow-wrap:break-word]',
                isFetching && 'opacity-50',
              )}
            >
              <caption className="sr-only">{caption}</caption>
              <thead>
                <tr className="border-line border-b bg-sunken text-ink-2">
                  {onSelected && (
                    <th scope="col" className="w-12 px-3 py-2.5 lg:px-4 text-left align-middle">
                      <Checkbox
                        hideLabel
                        label={t.selectAll}
                        checked={table.getIsAllPageRowsSelected()}
                        indeterminate={table.getIsSomePageRowsSelected()}
                        onChange={table.getToggleAllPageRowsSelectedHandler()}
                      />
                    </th>
                  )}
                  {table.getFlatHeaders().map((header) => {
                    const column = shape(header.id)
                    const direction = header.column.getIsSorted()
                    return (
                      <th
                        key={header.id}
                        scope="col"
                        style={{ width: column?.width }}
                        aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
                        className={cn(
                          'whitespace-nowrap px-3 py-2.5 lg:px-4 font-semibold',
                          ALIGN[column?.align ?? 'left'],
                        )}
                      >
                        {header.column.getCanSort() ? (
                          <button
                            type="button"
                            title={t.sortBy(column?.header ?? header.id)}
                            onClick={header.column.getToggleSortingHandler()}
                            className="inline-flex items-center gap-1 rounded-xs hover:text-ink"
                          >
                            {column?.header}
                            {direction === 'asc' && <ArrowUp aria-hidden className="size-3.5" />}
                            {direction === 'desc' && <ArrowDown aria-hidden className="size-3.5" />}
                            {!direction && <ChevronsUpDown aria-hidden className="size-3.5 text-ink-3" />}
                          </button>
                        ) : (
                          column?.header
                        )}
                      </th>
                    )
                  })}
                </tr>
              </thead>
              <tbody ref={body}>
                {table.getRowModel().rows.map((row, i) => (
                  <tr
                    key={row.id}
                    tabIndex={byKey ? (i === Math.min(turn, rows.length - 1) ? 0 : -1) : undefined}
                    onFocus={byKey ? () => setTurn(i) : undefined}
                    onKeyDown={byKey ? (event) => press(event, row.original, () => row.toggleSelected()) : undefined}
                    onClick={
                      onRowClick &&
                      ((event) =>
                        !(event.target as Element).closest('a,button,input,label') && onRowClick(row.original))
                    }
                    className={cn(
                      'border-line border-b last:border-0',
                      row.getIsSelected() ? 'bg-accent-soft' : 'hover:bg-sunken',
                      onRowClick && 'cursor-pointer',
                      byKey && 'focus-visible:outline-offset-[-2px]',
                    )}
                  >
                    {onSelected && (
                      <td className="px-3 py-3 lg:px-4 align-middle">
                        <Checkbox
                          hideLabel
                          label={t.selectRow(i + 1)}
                          checked={row.getIsSelected()}
                          onChange={row.getToggleSelectedHandler()}
                        />
                      </td>
                    )}
                    {row.getVisibleCells().map((cell) => (
                      <td
                        key={cell.id}
                        className={cn('px-3 py-3 lg:px-4 align-middle', ALIGN[shape(cell.column.id)?.align ?? 'left'])}
                      >
                        {/* Called, not rendered as a component: remounting a cell between press and release loses the click. */}
                        {shape(cell.column.id)?.cell(row.original)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {total > size && <Pagination className="mt-6" page={page} pages={pageCount(total, size)} onPage={onPage} />}
    </div>
  )
}
