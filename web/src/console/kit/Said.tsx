// A value of a record's field, in words.
import { Fragment, type ReactNode } from 'react'
import type { Field } from './descriptor'
import { at, isDocument, shown } from './draft'
import { useNameOf } from './inputs/ReferenceInput'

const PICTURE: Field = { name: '', label: '', type: 'image' }

/** A value as people read it; of what is named by an id, its name; of a list's item, all that is said of it. */
export function Said({ field, value }: { field: Field | undefined; value: unknown }): ReactNode {
  if (field?.type === 'reference' && typeof value === 'string' && value !== '')
    return <NameOf kind={field.resource ?? ''} id={value} />
  if (field?.type === 'references' && Array.isArray(value) && value.length > 0)
    return value.map((id, i) => (
      <Fragment key={String(id)}>
        {i > 0 && ', '}
        <NameOf kind={field.resource ?? ''} id={String(id)} />
      </Fragment>
    ))
  if (field?.type === 'images' && Array.isArray(value)) return value.map((one) => shown(PICTURE, one)).join(', ') || '-'
  if (field?.of && isDocument(value))
    return field.of
      .filter((part) => part.name !== '_id' && (at(value, part.name) ?? '') !== '')
      .map((part) => shown(part, at(value, part.name)))
      .join(' · ')
  return shown(field, value)
}

const NameOf = ({ kind, id }: { kind: string; id: string }) => useNameOf(kind, id)
