// Changes of a record, field by field, formatted.
import { changesOf, type TopChanges } from './changes'
import { FieldValue } from './FieldValue'
import type { Document } from './formState'
import type { Field } from './schema'

type ChangesProps = {
  changes: TopChanges
  fields: readonly Field[]
  /** The record after the changes. */
  whole?: Document
}

export function Changes({ changes, fields, whole }: ChangesProps) {
  const rows = changesOf(changes, fields, whole)
  if (rows.length === 0) return null
  return (
    <ul className="mt-1 grid gap-0.5">
      {rows.map(({ path, label, field, from, to }) => (
        <li key={path} className="break-words">
          <span className="text-ink-3">{label}:</span>{' '}
          <s className="text-ink-3">
            <FieldValue field={field} value={from} />
          </s>{' '}
          <span aria-hidden>→</span>{' '}
          <strong className="text-ink">
            <FieldValue field={field} value={to} />
          </strong>
        </li>
      ))}
    </ul>
  )
}
