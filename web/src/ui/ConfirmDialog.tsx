// The dialog of a confirmation.
import { AlertDialog } from 'radix-ui'
import { Button } from './Button'
import type { Question } from './confirm'
import { useFocusReturn } from './focusReturn'
import { useDismissableLayer } from './layers'

export default function AskDialog({
  title,
  text,
  yes,
  no,
  danger,
  answer,
}: Question & { answer: (yes: boolean) => void }) {
  useDismissableLayer(true, () => answer(false))
  const focus = useFocusReturn(true)
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-fade bg-veil" />
        <AlertDialog.Content
          {...(text ? {} : { 'aria-describedby': undefined })}
          {...focus}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-w-sm -translate-y-1/2 animate-rise rounded-xl bg-raised p-6 shadow-pop focus:outline-none"
        >
          <AlertDialog.Title className="font-bold text-lg">{title}</AlertDialog.Title>
          {text && <AlertDialog.Description className="mt-1.5 text-ink-2">{text}</AlertDialog.Description>}
          <div className="mt-6 grid grid-cols-2 gap-2">
            <AlertDialog.Cancel asChild>
              <Button variant="outline">{no ?? '아니요'}</Button>
            </AlertDialog.Cancel>
            {/* The second click of a double click that opened the dialog must not answer it. */}
            <Button variant={danger ? 'danger' : 'primary'} busy={false} onClick={() => answer(true)}>
              {yes ?? '네'}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
