// Columns of a list: cells by field type, and the user's choice of columns.
import { useState } from 'react'
import { isTexts, localItem } from '../../lib/storage'
import { Badge } from '../../ui/Badge'
import type { Column } from '../../ui/DataTable'
import { Link } from '../../ui/Link'
import { FIELD_CELLS, pictureUrl, Thumb } from './fields/cells'
import { formatValue, getIn } from './formState'
import type { ListDef } from './resourceDefinition'
import { type Field, fieldOf, type ResourceSchema } from './schema'
import { recordWords } from './words'

function Cell({ field, row }: { field: Field; row: unknown }) {
  const { Cell: OfType } = FIELD_CELLS[field.type]
  return <OfType field={field} value={getIn(row, field.name)} row={row} />
}

/** The record's picture, shown beside its name: the first image among the definition's columns. */
const pictureOf = <R,>(def: ListDef<R>, kind: ResourceSchema): string | undefined =>
  def.columns.find((name) => !def.cells?.[name] && fieldOf(kind, name)?.type === 'image')

/** The first column's link to the row's page. */
function Title<R>({ def, kind, row }: { def: ListDef<R>; kind: ResourceSchema; row: R }) {
  const first = def.columns[0] ?? 'name'
  const own = def.cells?.[first]?.cell
  const text = formatValue(fieldOf(kind, first), getIn(row, first))
  const Own = own
  const picture = pictureOf(def, kind)
  const url = picture ? pictureUrl(getIn(row, picture)) : undefined
  return (
    <span className="flex items-center gap-3">
      {url && <Thumb url={url} />}
      <Link
        to={def.pageOf(row)}
        title={text}
        className="wrap-anywhere line-clamp-2 min-w-36 font-semibold underline-offset-4 hover:underline"
      >
        {Own ? <Own row={row} /> : text}
      </Link>
      {getIn(row, 'removed') === true && <Badge tone="bad">{recordWords.removedBadge}</Badge>}
    </span>
  )
}

export function columnOf<R>(def: ListDef<R>, kind: ResourceSchema, name: string): Column<R> | undefined {
  const field = fieldOf(kind, name)
  const own = def.cells?.[name]
  if (!field && !own) return undefined
  const first = name === def.columns[0]
  const Own = own?.cell
  const below = own?.secondaryField ? fieldOf(kind, own.secondaryField) : undefined
  return {
    id: name,
    header: own?.header ?? field?.label ?? name,
    sortable: kind.sorts.includes(name),
    align: own?.align ?? (field && FIELD_CELLS[field.type].align) ?? 'left',
    width: own?.width ?? (first ? '28%' : undefined),
    cell: (row) => {
      if (first && !own?.isLink) return <Title def={def} kind={kind} row={row} />
      const content = Own ? <Own row={row} /> : field && <Cell field={field} row={row} />
      if (!own?.minWidth && !below) return content
      return (
        <div style={{ minWidth: own?.minWidth }}>
          {content}
          {below && (
            <div className="text-ink-3 text-xs">
              <Cell field={below} row={row} />
            </div>
          )}
        </div>
      )
    },
  }
}

/**
 * Every column the list can show: the definition's first, then its optional ones, or the other fields and the timestamps. Without the
 * seller's column where all rows belong to one seller.
 */
export function possibleColumns<R>(def: ListDef<R>, kind: ResourceSchema): string[] {
  return allColumns(def, kind).filter((name) => !kind.own || fieldOf(kind, name)?.resource !== 'seller')
}

function allColumns<R>(def: ListDef<R>, kind: ResourceSchema): string[] {
  if (def.optionalColumns) return [...def.columns, ...def.optionalColumns]
  const fields = kind.fields
    .filter((field) => !FIELD_CELLS[field.type].isLong && field.name !== '_id')
    .map((field) => field.name)
  const picture = pictureOf(def, kind)
  const all = new Set([...def.columns, ...Object.keys(def.cells ?? {}), ...fields, 'createdAt', 'updatedAt'])
  return [...all].filter((name) => name !== picture)
}

const storeOf = (list: string) => localItem(`jangbu.columns.${list}`, isTexts)

/** The visible columns: the user's choice, stored in this browser, or those of the current view. The first column is always visible. */
export function useColumns({ name, columns: usual }: { name: string; columns: readonly string[] }) {
  const own = () => storeOf(name).read() ?? usual
  const [chosen, setChosen] = useState<readonly string[]>(own)
  const choose = (columns: readonly string[] | undefined) => {
    setChosen(columns ?? usual)
    if (columns) storeOf(name).keep([...columns])
    else storeOf(name).forget()
  }
  const show = (columns: readonly string[] | undefined) => setChosen(columns ?? own())
  return { chosen, choose, show }
}
