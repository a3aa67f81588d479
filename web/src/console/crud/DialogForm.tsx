// A dialog that is filled in and saved: its button and Enter do the same.
import { type FormEvent, type ReactNode, useId } from 'react'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { useAskedClose } from './unsaved'

type DialogFormProps = {
  title: string
  width?: 'sm'
  busy: boolean
  /** Something was typed: a way out asks first. */
  typed: boolean
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

type InnerFormProps = {
  /** By which a button elsewhere in the dialog sends it. */
  id: string
  onSubmit: () => void
  children: ReactNode
}

/** The form of a dialog whose submit button is outside of it: Enter submits too. */
export function InnerForm({ id, onSubmit, children }: InnerFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-4">
      {children}
    </form>
  )
}

export function DialogForm({ title, width, busy, typed, onSave, onClose, children }: DialogFormProps) {
  const id = useId()
  const close = useAskedClose(typed, onClose)
  return (
    <Dialog
      open
      width={width}
      onOpenChange={(open) => !open && !busy && void close()}
      title={title}
      footer={
        <Button type="submit" form={id} busy={busy}>
          {ko.action.save}
        </Button>
      }
    >
      <InnerForm id={id} onSubmit={onSave}>
        {children}
      </InnerForm>
    </Dialog>
  )
}
