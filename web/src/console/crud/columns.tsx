// Columns of a list: cells by field type, and the user's choice of columns.
import { useState } from 'react'
import { isTexts, localItem } from '../../lib/storage'
import { Badge } from '../../ui/Badge'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { formatValue, getIn, isDocument, yesOrNo } from './formState'
import { useNameOf } from './inputs/ReferenceInput'
import type { ListDef } from './resourceDefinition'
import { type Field, fieldOf, type ResourceSchema } from './schema'
import { recordWords } from './words'

const NUMBERS = new Set(['amount', 'integer', 'percent'])
/** Types too long for a table row. */
const NEVER = new Set(['json', 'file'])
/** A number with hyphens, e.g. a phone number: not wrapped. */
const IN_ONE = /^\+?\d[\d-]*$/

function Cell({ field, row }: { field: Field; row: unknown }) {
  const value = getIn(row, field.name)
  switch (field.type) {
    case 'amount':
      return typeof value === 'number' ? <Money amount={value} /> : '-'
    case 'integer':
    case 'percent':
      return <span className="figures">{typeof value === 'number' ? formatValue(field, value, row) : '-'}</span>
    case 'boolean':
      return <Badge tone={value === true ? 'good' : 'quiet'}>{yesOrNo(field, value === true)}</Badge>
    case 'date':
    case 'datetime':
      return typeof value === 'string' && value !== '' ? (
        <DateText value={value} style={field.type} folds className="figures text-ink-2" />
      ) : (
        '-'
      )
    case 'enum':
      return value ? <Badge>{formatValue(field, value)}</Badge> : '-'
    case 'image': {
      const url = isDocument(value) ? value.url : value
      return typeof url === 'string' && url !== '' ? <Thumb url={url} /> : '-'
    }
    case 'color':
      return typeof value === 'string' && value !== '' ? (
        <span className="inline-flex items-center gap-2">
          <span aria-hidden className="size-4 rounded-xs border border-line" style={{ background: value }} />
          <span className="figures">{value}</span>
        </span>
      ) : (
        '-'
      )
    case 'reference':
      return typeof value === 'string' && value !== '' ? <ReferenceCell kind={field.resource ?? ''} id={value} /> : '-'
    default: {
      const text = formatValue(field, value)
      return (
        <span className={IN_ONE.test(text) ? 'figures whitespace-nowrap' : 'line-clamp-2 max-w-72 break-words'}>
          {text}
        </span>
      )
    }
  }
}

/** Pictures have a white background; multiplied, it takes the tile's colour, as in the shop. */
const Thumb = ({ url }: { url: string }) => (
  <span className="block size-11 shrink-0 overflow-hidden rounded-sm bg-picture">
    <img src={url} alt="" loading="lazy" className="size-full object-contain mix-blend-multiply" />
  </span>
)

/** The record's picture, shown beside its name: the first image among the definition's columns. */
const pictureOf = <R,>(def: ListDef<R>, kind: ResourceSchema): string | undefined =>
  def.columns.find((name) => !def.cells?.[name] && fieldOf(kind, name)?.type === 'image')

const ReferenceCell = ({ kind, id }: { kind: string; id: string }) => <span>{useNameOf(kind, id)}</span>

/** The first column's link to the row's page. */
function Title<R>({ def, kind, row }: { def: ListDef<R>; kind: ResourceSchema; row: R }) {
  const first = def.columns[0] ?? 'name'
  const own = def.cells?.[first]?.cell
  const text = formatValue(fieldOf(kind, first), getIn(row, first))
  const Own = own
  const picture = pictureOf(def, kind)
  const value = picture && getIn(row, picture)
  const url = isDocument(value) ? value.url : value
  return (
    <span className="flex items-center gap-3">
      {typeof url === 'string' && url !== '' && <Thumb url={url} />}
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
    align: own?.align ?? (field && NUMBERS.has(field.type) ? 'right' : 'left'),
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
    .filter((field) => !NEVER.has(field.type) && field.type !== 'html' && field.name !== '_id')
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
