// Two people changed the same record: both versions side by side, and the choice which one stays.
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { words } from '../words'
import type { Field } from './descriptor'
import { at, type Document, shown } from './draft'

const t = words.record

type ConflictProps = {
  fields: readonly Field[]
  mine: Document
  theirs: Document
  busy: boolean
  onKeepMine: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

export function Conflict({ fields, mine, theirs, busy, onKeepMine, onTakeTheirs, onClose }: ConflictProps) {
  const rows = fields
    .map((field) => ({ field, mine: at(mine, field.name), theirs: at(theirs, field.name) }))
    .filter((row) => JSON.stringify(row.mine ?? null) !== JSON.stringify(row.theirs ?? null))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="lg"
      title={t.conflict}
      text={t.conflictText}
      actions={
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
          {rows.map((row) => (
            <tr key={row.field.name} className="border-line border-b last:border-0">
              <th scope="row" className="py-2 pr-4 text-left font-medium">
                {row.field.label}
              </th>
              <td className="break-words py-2 pr-4">{shown(row.field, row.mine)}</td>
              <td className="break-words py-2">{shown(row.field, row.theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
