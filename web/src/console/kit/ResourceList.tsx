// The list of a kind: searched, filtered, sorted and paged by the server; rows are chosen across pages and worked on together.
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Download, Plus, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { download, paged } from '../../api/client'
import { toApiError } from '../../api/errors'
import { readKey, useRead } from '../../api/read'
import { useSession } from '../../api/session'
import { saveFile } from '../../lib/files'
import { Button, ButtonLink } from '../../ui/Button'
import { Select } from '../../ui/Input'
import { EmptyState } from '../../ui/states'
import { TabLinks } from '../../ui/Tabs'
import { toast } from '../../ui/toast'
import type { ListAnswer } from '../wire'
import { words } from '../words'
import { Bulk } from './Bulk'
import { ColumnChooser } from './ColumnChooser'
import { columnOf, possibleColumns, useColumns } from './columns'
import { createPage, pageOf, type ResourceDef, type Row } from './def'
import type { Descriptor } from './descriptor'
import { FilterBar } from './FilterBar'
import { ImportDialog } from './ImportDialog'
import { ListTable } from './ListTable'
import { type KindListing, SIZES, useKindListing } from './listing'
import { flushRemovals, useLeaving } from './removal'
import { SavedViews } from './SavedViews'
import { useKind } from './useKind'

const k = words.kit

/** Lists on screen; when the last one goes, what waits to be removed is removed. */
let onScreen = 0

function useFlushOnLeaving(): void {
  useEffect(() => {
    onScreen += 1
    return () => {
      onScreen -= 1
      // Another list may stand there at once (React mounts twice while developing).
      setTimeout(() => onScreen === 0 && flushRemovals())
    }
  }, [])
}

type ResourceListProps = {
  def: ResourceDef
  only?: Record<string, string>
  title?: string
  places?: readonly { to: string; label: string }[]
}

export function ResourceList({ def, only, title, places }: ResourceListProps) {
  const kind = useKind(def.kind)
  const client = useQueryClient()
  const navigate = useNavigate()
  const listing = useKindListing(kind, only)
  const { page, size, query } = listing
  const { chosen: columns, choose, show } = useColumns(def)
  const leaving = useLeaving((state) => state.ids)
  const [selected, setSelected] = useState<readonly string[]>([])
  const [matching, setMatching] = useState(false)
  const [importing, setImporting] = useState(false)
  const scopes = useSession((s) => s.payload?.scope)
  useFlushOnLeaving()
  const { data, error, isPlaceholderData, refetch } = useRead<ListAnswer & Record<string, Row[]>>(
    kind.path,
    { query, headers: paged(page, size) },
    { placeholderData: keepPreviousData },
  )
  const total = data?.summary.totalCount ?? 0
  // Other conditions, other rows: what was chosen among the old ones is let go.
  const asked = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the conditions only
  useEffect(() => {
    setSelected([])
    setMatching(false)
  }, [asked])

  const mayWrite = kind.scopes.some((scope) => scopes?.some((mine) => mine === scope) ?? false)
  const can = (action: Descriptor['actions'][number]) => mayWrite && kind.actions.includes(action)
  const all = possibleColumns(def, kind).flatMap((name) => columnOf(def, kind, name) ?? [])
  const first = def.columns[0] ?? 'name'
  const visible = all.filter((column) => column.id === first || columns.includes(column.id))
  const rows = (data?.[kind.many] ?? []).filter((row) => !leaving.includes(row._id))
  const changed = () => {
    setSelected([])
    setMatching(false)
    void client.invalidateQueries({ queryKey: readKey(kind.path).slice(0, 2) })
  }
  const createAt = createPage(def)
  const mayChoose = can('delete') || can('bulk')
  const count = matching ? total : selected.length
  const { searchValue, sort: _, ...filters } = query

  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{title ?? kind.title}</h1>
        <div className="flex flex-wrap gap-2">
          {can('import') && (
            <Button variant="outline" onClick={() => setImporting(true)}>
              <Upload aria-hidden />
              {k.import}
            </Button>
          )}
          {can('create') && (
            <ButtonLink to={createAt}>
              <Plus aria-hidden />
              {words.record.add}
            </ButtonLink>
          )}
        </div>
      </div>
      {places && <TabLinks label={title ?? kind.title} tabs={places} className="mt-3" />}
      <SavedViews
        page={def.kind}
        address={def.page}
        remembered={listing.remembered}
        columns={columns}
        onColumns={show}
      />
      <div className="mt-5">
        <FilterBar kind={kind} listing={listing} filters={kind.filters.filter((one) => !(only && one.name in only))} />
      </div>
      <ListTable<Row>
        caption={title ?? kind.title}
        columns={visible}
        rows={data && rows}
        error={error}
        onRetry={() => void refetch()}
        rowId={(row) => row._id}
        total={total}
        page={page}
        size={size}
        onPage={listing.onPage}
        sort={listing.sort}
        onSort={listing.onSort}
        selected={mayChoose ? [...selected] : undefined}
        onSelected={
          mayChoose
            ? (ids) => {
                setSelected(ids)
                setMatching(false)
              }
            : undefined
        }
        bulk={
          <>
            {can('bulk') && !matching && selected.length >= Math.min(rows.length, total) && total > selected.length && (
              <Button size="sm" variant="ghost" onClick={() => setMatching(true)}>
                {k.selectMatching(total)}
              </Button>
            )}
            {matching && <span className="font-semibold text-accent-strong">{k.matchingSelected(total)}</span>}
            <Bulk
              kind={kind}
              count={count}
              chosen={matching ? { ids: [], matching: { searchValue, filters } } : { ids: selected }}
              onDone={changed}
            />
          </>
        }
        onRow={(row) => void navigate(pageOf(def, row._id))}
        busy={isPlaceholderData}
        tools={
          <Tools kind={kind} listing={listing}>
            <ColumnChooser columns={all} chosen={columns} first={first} onChoose={choose} />
          </Tools>
        }
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
            <EmptyState
              title={k.emptyTitle(kind.title)}
              text={can('create') ? k.emptyText : k.emptyRead}
              action={can('create') && <ButtonLink to={createAt}>{words.record.add}</ButtonLink>}
            />
          )
        }
      />
      {importing && <ImportDialog kind={kind} onClose={() => setImporting(false)} onDone={changed} />}
    </main>
  )
}

/** The list as a file, how many rows a page has, which columns. */
function Tools({ kind, listing, children }: { kind: Descriptor; listing: KindListing; children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const { blob, name } = await download(`${kind.path}/export`, { query: { ...listing.query, format: 'xlsx' } })
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
