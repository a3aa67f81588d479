// What staff note on an order for each other. Buyers and sellers never see it.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Textarea } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { invalidateOrder } from '../purchases/invalidateOrder'
import { ChangeHighlight } from './ChangeHighlight'
import { orderWords } from './words'

const t = orderWords.note
const NOTE_MOST = 1000

type StaffNoteProps = {
  orderId: string
  note: string
  /** How it was; nothing can be done about that. */
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
  const client = useQueryClient()
  const form = useForm({
    initial: { remark: note },
    check: ({ remark }) => ({ remark: [...remark].length > NOTE_MOST ? t.tooLong : undefined }),
    send: ({ remark }) =>
      call('PUT', '/api/console/shop/orders/{id}', { path: { id: orderId }, body: { remark: remark.trim() } }),
    onSent: async ({ order }) => {
      void toast(t.done, { tone: 'success' })
      await invalidateOrder(client)
      form.reset({ remark: order.remark ?? '' })
    },
  })
  // Another person's note takes the place of the one on screen, but not of what is being typed.
  if (!form.isDirty && !form.isPending && form.values.remark !== note) form.reset({ remark: note })
  return (
    <form {...form.formProps} className="grid gap-3">
      <Field label={t.title} hideLabel hint={note ? undefined : t.empty} error={form.errors.remark}>
        <Textarea rows={3} autoComplete="off" {...form.text('remark')} />
      </Field>
      <FormError>{form.errors.form}</FormError>
      <Button
        type="submit"
        variant="outline"
        className="justify-self-end"
        busy={form.isPending}
        disabled={!form.isDirty}
      >
        {ko.action.save}
      </Button>
    </form>
  )
}
