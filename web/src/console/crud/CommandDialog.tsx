// The dialog of a command: it is filled in and sent, says what was refused at its field, and asks before it loses what was typed.
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { toApiError } from '../../api/errors'
import type { Form } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Button } from '../../ui/Button'
import { Dialog, FIELD } from '../../ui/Dialog'
import { FormError } from '../../ui/FormError'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { useAskedClose } from './unsaved'

type InnerFormProps = {
  /** By which a button elsewhere in the dialog sends it. */
  id: string
  onSubmit: () => void
  children: ReactNode
}

/** The form of a dialog that runs in several steps: Enter submits too. */
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

type CommandFormProps<V extends object> = {
  form: Form<V>
  id?: string
  className?: string
  children: ReactNode
}

/** The form of a command on the page itself, where there is no dialog to it. */
export function CommandForm<V extends object>({ form, id, className = 'gap-3', children }: CommandFormProps<V>) {
  return (
    <form id={id} {...form.formProps} className={cn('grid', className)}>
      {children}
      <FormError className="col-span-full">{form.errors.form}</FormError>
    </form>
  )
}

type CommandDialogProps<V extends object> = {
  title: string
  description?: ReactNode
  width?: 'sm'
  form: Form<V>
  /** What the fields are about, where it is read first. Without children it is waited for, or said why it is not there. */
  read?: { data: unknown; error: unknown; refetch: () => unknown }
  /** On the button that sends it. */
  submit?: string
  disabled?: boolean
  /** The grid of the fields. */
  className?: string
  onClose: () => void
  children: ReactNode
}

export function CommandDialog<V extends object>({
  title,
  description,
  width,
  form,
  read,
  submit = ko.action.save,
  disabled = false,
  className = 'gap-4',
  onClose,
  children,
}: CommandDialogProps<V>) {
  const id = useId()
  const close = useAskedClose(form.isDirty, onClose)
  const isReady = Boolean(children)
  const waited = useRef(false)
  useEffect(() => {
    // Where the fields came later, one begins at the first of them unless one went elsewhere meanwhile.
    if (isReady && waited.current) focusFirstField(form.formProps.ref.current?.closest('[role="dialog"]'))
    waited.current = !isReady
  }, [isReady, form.formProps.ref])
  return (
    <Dialog
      open
      width={width}
      onOpenChange={(open) => !open && !form.isPending && void close()}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="outline" disabled={form.isPending} onClick={() => void close()}>
            {ko.action.close}
          </Button>
          <Button type="submit" form={id} busy={form.isPending} disabled={disabled || !isReady}>
            {submit}
          </Button>
        </>
      }
    >
      {isReady ? (
        <CommandForm id={id} form={form} className={className}>
          {children}
        </CommandForm>
      ) : read?.error || read?.data ? (
        <ErrorState
          error={form.refusal ?? toApiError(read.error)}
          onRetry={() => void read.refetch()}
          className="py-6"
        />
      ) : (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      )}
    </Dialog>
  )
}

/** Begins with the first field that comes after the dialog was opened, unless one went elsewhere in it meanwhile. */
function focusFirstField(layer: Element | null | undefined): void {
  const isWhereItBegan = document.activeElement === layer || document.activeElement === layer?.querySelector('button')
  if (isWhereItBegan && window.matchMedia?.('(pointer: fine)').matches)
    layer?.querySelector<HTMLElement>(FIELD)?.focus()
}
