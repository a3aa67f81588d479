// A table of a resource: search, filters, sorting and paging by the server, selection across pages or of all matching rows, saved views,
// column choice and export.
import { keepPreviousData } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paged } from '../../api/client'
import { download } from '../../api/download'
import { toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { saveFile } from '../../lib/files'
import { Button } from '../../ui/Button'
import { Select } from '../../ui/Input'
import { EmptyState } from '../../ui/states'
import { toast } from '../../ui/toast'
import { exportPath, rowsIn } from './api'
import { ColumnChooser } from './ColumnChooser'
import { columnOf, possibleColumns, useColumns } from './columns'
import { FilterBar } from './FilterBar'
import { ListTable } from './ListTable'
import type { ListDef } from './resourceDefinition'
import { SavedViews, SaveView } from './SavedViews'
import type { ResourceSchema } from './schema'
import { type ResourceListState, SIZES, useResourceListState } from './useResourceListState'
import { crudWords } from './words'

const k = crudWords

/** The filters of a list, sent by actions on all matching rows. */
export type Matching = { searchValue?: string; filters: Record<string, string> }

/** The selection: rows, or all that match the filters. */
export type Choice<R> = {
  /** Selected rows; as last loaded. */
  rows: readonly R[]
  ids: readonly string[]
  matching?: Matching
  count: number
  /** Deselects these, or all. */
  letGo: (ids?: readonly string[]) => void
}

type ResourceTableProps<R> = {
  def: ListDef<R>
  kind: ResourceSchema
  caption: string
  /** Only rows with these values. */
  only?: Record<string, string>
  /** Actions on the selection; default: rows cannot be selected. */
  bulk?: (choice: Choice<R>) => ReactNode
  /** Whether all matching rows can be selected. */
  choosesAll?: boolean
  /** Action in each row. */
  rowAction?: (row: R) => ReactNode
  /** Whether a click anywhere in a row opens it. */
  opens?: boolean
  /** Shown when there are no rows and no filters. */
  empty: ReactNode
}

export function ResourceTable<R>(props: ResourceTableProps<R>) {
  const { def, kind, caption, only, bulk, choosesAll = false, rowAction, opens = false, empty } = props
  const navigate = useNavigate()
  const listing = useResourceListState(kind, only)
  const { page, size, query } = listing
  const { chosen: columns, choose, show } = useColumns(def)
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    kind.path,
    { query, headers: paged(page, size) },
    { placeholderData: keepPreviousData },
  )
  const total = data && 'summary' in data ? data.summary.totalCount : 0
  const rows = rowsIn<R>(kind, data)
  const { choice, take, takeAll } = useChoice(def, rows, total, query)

  const all = possibleColumns(def, kind).flatMap((name) => columnOf(def, kind, name) ?? [])
  const first = def.columns[0] ?? 'name'
  const visible = all.filter((column) => column.id === first || columns.includes(column.id))
  if (rowAction && listing.showsRemoved) visible.push({ id: 'act', header: k.action, cell: rowAction })
  const { card: Card } = def
  const wholePage = choice.ids.length >= Math.min(rows.length, total)

  return (
    <>
      <SavedViews page={def.name} address={def.page} remembered={listing.remembered} onColumns={show} />
      <div className="mt-5">
        <FilterBar
          kind={kind}
          listing={listing}
          filters={kind.filters.filter((one) => !(only && one.name in only))}
          hint={def.searchPlaceholder}
          period={def.periodFilter}
        >
          <SaveView page={def.name} remembered={listing.remembered} columns={columns} />
        </FilterBar>
      </div>
      <ListTable<R>
        caption={caption}
        columns={visible}
        rows={data && rows}
        error={error}
        onRetry={() => void refetch()}
        rowId={def.idOf}
        total={total}
        page={page}
        size={size}
        onPage={listing.onPage}
        sort={listing.sort ?? def.sort}
        onSort={listing.onSort}
        selected={bulk && [...choice.ids]}
        onSelected={bulk && take}
        bulkActions={
          <>
            {choosesAll && !choice.matching && wholePage && total > choice.ids.length && (
              <Button size="sm" variant="ghost" onClick={takeAll}>
                {k.selectMatching(total)}
              </Button>
            )}
            {choice.matching && <span className="font-semibold text-accent-strong">{k.matchingSelected(total)}</span>}
            {bulk?.(choice)}
          </>
        }
        onRowClick={opens ? (row) => void navigate(def.pageOf(row)) : undefined}
        isFetching={isPlaceholderData}
        toolbar={
          <Tools kind={kind} listing={listing}>
            {/* A custom card does not depend on the visible columns. */}
            <div className={Card && 'max-md:hidden'}>
              <ColumnChooser columns={all} chosen={columns} first={first} onChoose={choose} />
            </div>
          </Tools>
        }
        renderMobileRow={Card && ((row) => <Card row={row} />)}
        empty={
          listing.conditions > 0 ? (
            <EmptyState
              title={k.noMatch}
              text={k.noMatchText}
              action={
                <Button variant="outline" onClick={listing.clear}>
                  {k.clearAll}
                </Button>
              }
            />
          ) : (
            empty
          )
        }
      />
    </>
  )
}

/** The selection of a list, across pages. */
function useChoice<R>({ idOf }: ListDef<R>, rows: readonly R[], total: number, query: ResourceListState['query']) {
  const [chosen, setChosen] = useState<readonly R[]>([])
  const [isAll, setAll] = useState(false)
  const byId = (some: readonly R[]) => some.map((row) => [idOf(row), row] as const)
  // Loaded rows are newer than the copies kept since their selection.
  const known = new Map([...byId(chosen), ...byId(rows)])
  const find = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? [])
  const take = (ids: readonly string[]) => {
    setChosen(find(ids))
    setAll(false)
  }
  // A change of the filters clears the selection.
  const queryKey = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the filters only
  useEffect(() => take([]), [queryKey])
  const { searchValue, sort: _, ...filters } = query
  const ids = chosen.map(idOf)
  const choice: Choice<R> = {
    rows: find(ids),
    ids,
    matching: isAll ? { searchValue, filters } : undefined,
    count: isAll ? total : ids.length,
    letGo: (gone) => {
      setChosen((now) => (gone ? now.filter((row) => !gone.includes(idOf(row))) : []))
      setAll(false)
    },
  }
  return { choice, take, takeAll: () => setAll(true) }
}

/** Export, page size and column choice of the list. */
function Tools({ kind, listing, children }: { kind: ResourceSchema; listing: ResourceListState; children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const { blob, name } = await download(exportPath(kind.path), { query: { ...listing.query, format: 'xlsx' } })
      saveFile(blob, name)
      void toast(k.exported(name), { tone: 'success' })
    } catch (thrown) {
      void toast(toApiError(thrown).message, { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {kind.actions.includes('export') && (
        <Button size="sm" variant="ghost" busy={busy} onClick={() => void take()}>
          <Download aria-hidden />
          <span className="max-sm:sr-only">{k.exportAll}</span>
        </Button>
      )}
      {children}
      <Select
        dense
        aria-label={k.size}
        className="w-28"
        options={SIZES.map((size) => ({ value: String(size), label: k.sizeOf(size) }))}
        value={String(listing.size)}
        onChange={(event) => listing.onSize(Number(event.target.value))}
      />
    </>
  )
}
