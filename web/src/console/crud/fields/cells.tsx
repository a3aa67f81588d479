// How the values of each type are shown in a row of a list.
import type { ComponentType } from 'react'
import { Badge } from '../../../ui/Badge'
import { DateText } from '../../../ui/DateText'
import { Money } from '../../../ui/Money'
import { isDocument } from '../document'
import { useNameOf } from '../inputs/ReferenceInput'
import type { Field, FieldType } from '../schema'
import { formatValue, yesOrNo } from './values'

type CellProps = { field: Field; value: unknown; row: unknown }

type FieldCell = {
  Cell: ComponentType<CellProps>
  /** Too long for a row: no column that users can choose, only one that a definition names. */
  isLong?: true
  /** Numbers stand at the right. */
  align?: 'right'
}

/** A number with hyphens, e.g. a phone number: not wrapped. */
const IN_ONE = /^\+?\d[\d-]*$/

function TextCell({ field, value }: CellProps) {
  const text = formatValue(field, value)
  return (
    <span className={IN_ONE.test(text) ? 'figures whitespace-nowrap' : 'line-clamp-2 max-w-72 break-words'}>
      {text}
    </span>
  )
}

const NumberCell = ({ field, value, row }: CellProps) => (
  <span className="figures">{typeof value === 'number' ? formatValue(field, value, row) : '-'}</span>
)

const AmountCell = ({ value }: CellProps) => (typeof value === 'number' ? <Money amount={value} /> : '-')

const BooleanCell = ({ field, value }: CellProps) => (
  <Badge tone={value === true ? 'good' : 'quiet'}>{yesOrNo(field, value === true)}</Badge>
)

const DateCell = ({ field, value }: CellProps) =>
  typeof value === 'string' && value !== '' ? (
    <DateText value={value} style={field.type === 'date' ? 'date' : 'datetime'} folds className="figures text-ink-2" />
  ) : (
    '-'
  )

const EnumCell = ({ field, value }: CellProps) => (value ? <Badge>{formatValue(field, value)}</Badge> : '-')

/** Pictures have a white background; multiplied, it takes the tile's colour, as in the shop. */
export const Thumb = ({ url }: { url: string }) => (
  <span className="block size-11 shrink-0 overflow-hidden rounded-sm bg-picture">
    <img src={url} alt="" loading="lazy" className="size-full object-contain mix-blend-multiply" />
  </span>
)

/** The address of a picture; undefined without one. */
export const pictureUrl = (value: unknown): string | undefined => {
  const url = isDocument(value) ? value.url : value
  return typeof url === 'string' && url !== '' ? url : undefined
}

function ImageCell({ value }: CellProps) {
  const url = pictureUrl(value)
  return url ? <Thumb url={url} /> : '-'
}

const ColorCell = ({ value }: CellProps) =>
  typeof value === 'string' && value !== '' ? (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="size-4 rounded-xs border border-line" style={{ background: value }} />
      <span className="figures">{value}</span>
    </span>
  ) : (
    '-'
  )

const NameOf = ({ kind, id }: { kind: string; id: string }) => <span>{useNameOf(kind, id)}</span>

const ReferenceCell = ({ field, value }: CellProps) =>
  typeof value === 'string' && value !== '' ? <NameOf kind={field.resource ?? ''} id={value} /> : '-'

export const FIELD_CELLS: Record<FieldType, FieldCell> = {
  text: { Cell: TextCell },
  longtext: { Cell: TextCell },
  url: { Cell: TextCell },
  html: { Cell: TextCell, isLong: true },
  integer: { Cell: NumberCell, align: 'right' },
  amount: { Cell: AmountCell, align: 'right' },
  percent: { Cell: NumberCell, align: 'right' },
  boolean: { Cell: BooleanCell },
  date: { Cell: DateCell },
  datetime: { Cell: DateCell },
  enum: { Cell: EnumCell },
  image: { Cell: ImageCell },
  images: { Cell: TextCell },
  file: { Cell: TextCell, isLong: true },
  reference: { Cell: ReferenceCell },
  references: { Cell: TextCell },
  list: { Cell: TextCell },
  tags: { Cell: TextCell },
  numbers: { Cell: TextCell },
  color: { Cell: ColorCell },
  json: { Cell: TextCell, isLong: true },
  point: { Cell: TextCell },
}
