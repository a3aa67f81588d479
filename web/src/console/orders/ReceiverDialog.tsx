// Staff correct who gets an order and where, while something of it is still to be sent.
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../api/client'
import { AddressFields } from '../../features/addresses/AddressFields'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { digits } from '../../lib/phone'
import { LINE_MOST, name, phone, postcode, required } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PhoneInput } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { useAskedClose } from '../crud/unsaved'
import { invalidateOrder } from '../purchases/invalidateOrder'
import type { Party } from '../types'
import { orderWords } from './words'

const t = orderWords.correction

type Receiver = { name: string; phone: string; postcode: string; address1: string; address2: string }

const typed = (party: Party | null | undefined): Receiver => ({
  name: party?.name ?? '',
  phone: party?.phone ?? '',
  postcode: party?.postcode ?? '',
  address1: party?.address1 ?? '',
  address2: party?.address2 ?? '',
})

/** The receiver as it is sent: what the form does not ask for stays, but a position is that of one address. */
function bodyOf(before: Party | null | undefined, receiver: Receiver): Party {
  const stays = before?.postcode === receiver.postcode && before.address1 === receiver.address1
  return {
    title: before?.title ?? null,
    email: before?.email ?? null,
    ...receiver,
    name: receiver.name.trim(),
    phone: digits(receiver.phone),
    address2: receiver.address2.trim() || null,
    geolocation: stays ? before.geolocation : null,
  }
}

type ReceiverDialogProps = { orderId: string; receiver: Party | null | undefined; onClose: () => void }

export function ReceiverDialog({ orderId, receiver, onClose }: ReceiverDialogProps) {
  const client = useQueryClient()
  const id = useId()
  const form = useForm({
    initial: () => ({ receiver: typed(receiver) }),
    check: ({ receiver: to }) => ({
      'receiver.name': name(to.name),
      'receiver.phone': phone(to.phone),
      'receiver.postcode': postcode(to.postcode),
      'receiver.address1': required(t.addressRequired)(to.address1),
    }),
    fields: ['receiver.address2'],
    send: ({ receiver: to }) =>
      call('PUT', '/api/console/shop/orders/{id}', {
        path: { id: orderId },
        body: { receiver: bodyOf(receiver, to) },
      }).catch((thrown: unknown) => {
        // It may have been sent meanwhile.
        void invalidateOrder(client)
        throw thrown
      }),
    onSent: () => {
      void toast(t.done, { tone: 'success' })
      void invalidateOrder(client)
      onClose()
    },
  })
  const close = useAskedClose(form.isDirty, onClose)
  const { values, errors } = form
  const set = (part: Partial<Receiver>) => form.set({ receiver: { ...values.receiver, ...part } })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !form.isPending && void close()}
      title={t.title}
      description={t.lead}
      footer={
        <>
          <Button variant="outline" disabled={form.isPending} onClick={() => void close()}>
            {ko.action.close}
          </Button>
          <Button type="submit" form={id} busy={form.isPending}>
            {ko.action.save}
          </Button>
        </>
      }
    >
      <form id={id} {...form.formProps} className="grid gap-4 sm:grid-cols-2">
        <Field label={orderWords.receiver} required error={errors['receiver.name']}>
          <Input
            autoComplete="off"
            maxLength={LINE_MOST}
            value={values.receiver.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label={t.phone} required error={errors['receiver.phone']}>
          <PhoneInput autoComplete="off" value={values.receiver.phone} onValueChange={(text) => set({ phone: text })} />
        </Field>
        <AddressFields
          value={values.receiver}
          onValueChange={set}
          errors={{
            postcode: errors['receiver.postcode'],
            address1: errors['receiver.address1'],
            address2: errors['receiver.address2'],
          }}
        />
        <FormError>{errors.form}</FormError>
      </form>
    </Dialog>
  )
}
