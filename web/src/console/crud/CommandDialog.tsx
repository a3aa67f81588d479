// The dialog of a command: fills in and sends it, shows refusals at their fields, and asks before it discards input.
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { toApiError } from '../../api/errors'
import { useAskedClose } from '../../features/forms/unsaved'
import type { Form } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Button } from '../../ui/Button'
import { Dialog, FIELD } from '../../ui/Dialog'
import { FormError } from '../../ui/FormError'
import { ErrorState, Loading, Skeleton } from '../../ui/states'

type InnerFormProps = {
  /** The form's `id`, for a submit button elsewhere in the dialog. */
  id: string
  onSubmit: () => void
  children: ReactNode
}

/** The form of a dialog with several steps: Enter submits too. */
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

/** The form of a command on the page itself, without a dialog. */
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
  /** The subject of the fields, if it is loaded first. Without children the dialog shows a placeholder, or the error. */
  read?: { data: unknown; error: unknown; refetch: () => unknown }
  /** Label of the submit button. */
  submit?: string
  disabled?: boolean
  /** Class of the grid of fields. */
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
    // Fields that were loaded later: focuses the first one unless the user has moved the focus meanwhile.
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

/** Focuses the first field rendered after the dialog was opened, unless the focus was moved in it meanwhile. */
function focusFirstField(layer: Element | null | undefined): void {
  const isWhereItBegan = document.activeElement === layer || document.activeElement === layer?.querySelector('button')
  if (isWhereItBegan && window.matchMedia?.('(pointer: fine)').matches)
    layer?.querySelector<HTMLElement>(FIELD)?.focus()
}
