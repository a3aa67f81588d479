// Staff correct the receiver and address of an order, while part of it is still to be sent.
import { call } from '../../api/client'
import { AddressFields } from '../../features/addresses/AddressFields'
import { digits } from '../../lib/phone'
import { LINE_MOST, name, phone, postcode, required } from '../../lib/validators'
import { Field } from '../../ui/Field'
import { Input, PhoneInput } from '../../ui/Input'
import { CommandDialog } from '../crud/CommandDialog'
import { useOrderCommand } from '../purchases/useOrderCommand'
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

/** The receiver to send: fields without an input are kept, except for a position, which belongs to its address. */
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
  const form = useOrderCommand({
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
      }),
    done: t.done,
    onSent: onClose,
  })
  const { values, errors } = form
  const set = (part: Partial<Receiver>) => form.set({ receiver: { ...values.receiver, ...part } })
  return (
    <CommandDialog title={t.title} description={t.lead} form={form} className="gap-4 sm:grid-cols-2" onClose={onClose}>
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
    </CommandDialog>
  )
}
