// Sets one field of many records at once. It brings the inputs of every type along, so it is loaded when it is opened.
import { useState } from 'react'
import { useAskedClose } from '../../features/forms/unsaved'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import { type Document, fromDraft, isTouched, setIn, toDraft } from './formState'
import { FieldInput } from './inputs/FieldInput'
import type { Field as FieldDef } from './schema'
import { crudWords as k } from './words'

export type BulkChangeProps = {
  fields: readonly FieldDef[]
  count: number
  busy: boolean
  onClose: () => void
  onChange: (fields: Document) => void
}

export default function BulkChangeDialog({ fields, count, busy, onClose, onChange }: BulkChangeProps) {
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find((one) => one.name === name)
  const [begun] = useState<Document>(() => toDraft(fields, {}))
  const [draft, setDraft] = useState(begun)
  const close = useAskedClose(isTouched(begun, draft), onClose)
  const [errors, setErrors] = useState<Record<string, string>>({})
  if (!field) return null
  const go = () => {
    // Compared with nothing, so that the value is sent whatever it is.
    const { changes, faults } = fromDraft([field], {}, {}, { [field.name]: draft[field.name] })
    setErrors(faults)
    if (Object.keys(faults).length === 0) onChange({ [field.name]: changes[field.name] ?? null })
  }
  return (
    <Dialog
      open
      width="sm"
      onOpenChange={(open) => !open && void close()}
      title={k.changeTitle(count)}
      footer={
        <Button busy={busy} onClick={go}>
          {k.change}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Field label={k.changeField}>
          <Select
            options={fields.map((one) => ({ value: one.name, label: one.label }))}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <FieldInput
          key={name}
          field={field}
          draft={draft}
          put={(path, value) => setDraft((now) => setIn(now, path, value))}
          errors={errors}
        />
      </div>
    </Dialog>
  )
}
