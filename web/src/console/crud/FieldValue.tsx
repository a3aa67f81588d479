// A formatted value of a record's field.
import { Fragment, type ReactNode } from 'react'
import { type Document, formatValue, getIn, isDocument } from './formState'
import { useNameOf } from './inputs/ReferenceInput'
import type { Field } from './schema'

/** Formats a value by its type: names for references, thumbnails for pictures, one line per part for list items. */
export function FieldValue({ field, value }: { field: Field | undefined; value: unknown }): ReactNode {
  if (field?.type === 'reference' && typeof value === 'string' && value !== '')
    return <NameOf kind={field.resource ?? ''} id={value} />
  if (field?.type === 'references' && Array.isArray(value) && value.length > 0)
    return value.map((id, i) => (
      <Fragment key={String(id)}>
        {i > 0 && ', '}
        <NameOf kind={field.resource ?? ''} id={String(id)} />
      </Fragment>
    ))
  if (field?.type === 'image' && isDocument(value) && value.url) return <Picture picture={value} />
  if (field?.type === 'images' && Array.isArray(value) && value.length > 0)
    return <span className="inline-flex flex-wrap gap-1">{value.filter(isDocument).map(pictureOf)}</span>
  if (field?.of && isDocument(value)) return <Parts fields={field.of} item={value} />
  return formatValue(field, value)
}

const NameOf = ({ kind, id }: { kind: string; id: string }) => useNameOf(kind, id)

const pictureOf = (picture: Document, place: number) => <Picture key={place} picture={picture} />

/** Falls back to the file's name as alternative text. */
const Picture = ({ picture: { url, alt } }: { picture: Document }) => {
  const altText = String(alt || String(url).split('/').at(-1))
  return (
    <img
      src={String(url)}
      alt={altText}
      title={altText}
      loading="lazy"
      className="inline-block size-11 rounded-sm bg-picture object-contain align-middle"
    />
  )
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** The parts of an item, one per line, without empty ones. */
function Parts({ fields, item }: { fields: readonly Field[]; item: Document }) {
  const filledParts = fields.filter((part) => part.name !== '_id' && !isNothing(getIn(item, part.name)))
  if (filledParts.length === 0) return '-'
  return filledParts.map((part) => (
    <span key={part.name} className="block border-line border-l-2 pl-3">
      <span className="text-ink-3">{part.label}:</span> <FieldValue field={part} value={getIn(item, part.name)} />
    </span>
  ))
}
