// The staff's internal note on an order. Buyers and sellers never see it.
import { call } from '../../api/client'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { CommandForm } from '../crud/CommandDialog'
import { useOrderCommand } from '../purchases/useOrderCommand'
import { ChangeHighlight } from './ChangeHighlight'
import { orderWords } from './words'

const t = orderWords.note
const NOTE_MOST = 1000

type StaffNoteProps = {
  orderId: string
  note: string
  /** A past state; no actions. */
  readOnly: boolean
}

export function StaffNote({ orderId, note, readOnly }: StaffNoteProps) {
  return (
    <Card title={t.title}>
      {readOnly ? (
        <p className={note ? 'whitespace-pre-wrap break-words' : 'text-ink-3'}>
          <ChangeHighlight paths={['remark']}>{note || t.none}</ChangeHighlight>
        </p>
      ) : (
        <NoteForm orderId={orderId} note={note} />
      )}
    </Card>
  )
}

function NoteForm({ orderId, note }: { orderId: string; note: string }) {
  const form = useOrderCommand({
    initial: { remark: note },
    check: ({ remark }) => ({ remark: [...remark].length > NOTE_MOST ? t.tooLong : undefined }),
    send: ({ remark }) =>
      call('PUT', '/api/console/shop/orders/{id}', { path: { id: orderId }, body: { remark: remark.trim() } }),
    done: t.done,
    onSent: ({ order }) => {
      form.reset({ remark: order.remark ?? '' })
    },
  })
  // A note saved by another user replaces the one on screen, but not unsaved input.
  if (!form.isDirty && !form.isPending && form.values.remark !== note) form.reset({ remark: note })
  return (
    <CommandForm form={form}>
      <Field label={t.title} hideLabel hint={note ? undefined : t.empty} error={form.errors.remark}>
        <Textarea rows={3} autoComplete="off" {...form.text('remark')} />
      </Field>
      <Button
        type="submit"
        variant="outline"
        className="justify-self-end"
        busy={form.isPending}
        disabled={!form.isDirty}
      >
        {ko.action.save}
      </Button>
    </CommandForm>
  )
}
