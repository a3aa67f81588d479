// Asks for the name of a view to be saved.
import { useForm } from '../../features/forms/useForm'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { CommandDialog } from './CommandDialog'
import { crudWords as k, recordWords } from './words'

export default function NameDialog({
  mayShare,
  onClose,
  onSave,
}: {
  /** Sellers cannot share views. */
  mayShare: boolean
  onClose: () => void
  onSave: (name: string, shared: boolean) => Promise<void>
}) {
  const form = useForm({
    initial: { name: '', shared: false },
    check: ({ name }) => ({ name: name.trim() === '' ? recordWords.required(k.viewName) : undefined }),
    send: ({ name, shared }) => onSave(name.trim(), shared),
    onSent: onClose,
  })
  return (
    <CommandDialog title={k.saveView} width="sm" form={form} onClose={onClose}>
      <Field label={k.viewName} required error={form.errors.name}>
        <Input maxLength={60} {...form.text('name')} />
      </Field>
      {mayShare && (
        <Checkbox
          label={k.shareView}
          checked={form.values.shared}
          onChange={(event) => form.set({ shared: event.target.checked })}
        />
      )}
    </CommandDialog>
  )
}
