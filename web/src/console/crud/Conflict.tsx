// Version conflict: both versions side by side, and the choice between them.
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { changesOf } from './changes'
import { FieldValue } from './FieldValue'
import type { Document } from './formState'
import type { Field } from './schema'
import { recordWords } from './words'

const t = recordWords

type ConflictProps = {
  /** All fields of the record, including those that the form does not show separately. */
  fields: readonly Field[]
  mine: Document
  theirs: Document
  busy: boolean
  onKeepMine: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

export function Conflict({ fields, mine, theirs, busy, onKeepMine, onTakeTheirs, onClose }: ConflictProps) {
  const tops = new Set(fields.flatMap((field) => (field.readOnly ? [] : (field.name.split('.')[0] ?? []))))
  const rows = changesOf(
    Object.fromEntries([...tops].map((top) => [top, { from: mine[top], to: theirs[top] }])),
    fields,
    theirs,
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="lg"
      title={t.conflict}
      description={t.conflictText}
      footer={
        <>
          <Button variant="outline" onClick={onTakeTheirs}>
            {t.takeTheirs}
          </Button>
          <Button busy={busy} onClick={onKeepMine}>
            {t.keepMine}
          </Button>
        </>
      }
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-line border-b text-left text-ink-2">
            {[t.field, t.mine, t.theirs].map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, label, field, from, to }) => (
            <tr key={path} className="border-line border-b align-top last:border-0">
              <th scope="row" className="py-2 pr-4 text-left font-medium">
                {label}
              </th>
              <td className="py-2 pr-4">
                <FieldValue field={field} value={from} />
              </td>
              <td className="py-2">
                <FieldValue field={field} value={to} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
