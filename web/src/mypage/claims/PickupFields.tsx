// Pickup address of goods, and delivery address of a replacement: the order's, a saved one, or typed.
import { useState } from 'react'
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'
import type { Destination, Party } from '../../api/types'
import { AddressFields } from '../../features/addresses/AddressFields'
import { DESTINATIONS, DestinationDialog } from '../../features/addresses/DestinationDialog'
import type { FormErrors } from '../../features/forms/useForm'
import { digits } from '../../lib/phone'
import { LINE_MOST, name, phone, postcode, required } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { Input, PhoneInput } from '../../ui/Input'

export type Pickup = { name: string; phone: string; postcode: string; address1: string; address2: string }

/** Initialises the fields with a known address. */
export const pickupAt = (to: Party | Destination | null | undefined): Pickup => ({
  name: to?.name ?? '',
  phone: to?.phone ?? '',
  postcode: to?.postcode ?? '',
  address1: to?.address1 ?? '',
  address2: to?.address2 ?? '',
})

/** The address for the request. */
export const pickupBody = ({ name, phone, address2, ...rest }: Pickup) => ({
  ...rest,
  name: name.trim(),
  phone: digits(phone),
  address2: address2.trim() || undefined,
})

/** Validation errors by the request's field names. */
export const pickupErrors = (pickup: Pickup): FormErrors => ({
  'pickup.name': name(pickup.name),
  'pickup.phone': phone(pickup.phone),
  'pickup.postcode': postcode(pickup.postcode),
  'pickup.address1': required('주소를 입력해 주세요.')(pickup.address1),
})

type PickupFieldsProps = {
  title: string
  /** Purpose of the address. */
  lead: string
  value: Pickup
  onValueChange: (part: Partial<Pickup>) => void
  errors: FormErrors
}

export function PickupFields({ title, lead, value, onValueChange, errors }: PickupFieldsProps) {
  const [choosing, setChoosing] = useState(false)
  const saved = useApiQuery(DESTINATIONS, {}, { enabled: useLoggedIn(), retry: false }).data?.destinations ?? []
  return (
    <Card
      title={title}
      headerAction={
        saved.length > 0 && (
          <Button variant="outline" size="sm" onClick={() => setChoosing(true)}>
            배송지 목록
          </Button>
        )
      }
    >
      <p className="-mt-2 mb-4 text-ink-2 text-sm">{lead}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="보내는 분" required error={errors['pickup.name']}>
          <Input
            autoComplete="name"
            maxLength={LINE_MOST}
            value={value.name}
            onChange={(event) => onValueChange({ name: event.target.value })}
          />
        </Field>
        <Field label="휴대폰 번호" required error={errors['pickup.phone']}>
          <PhoneInput value={value.phone} onValueChange={(text) => onValueChange({ phone: text })} />
        </Field>
        <AddressFields
          value={value}
          onValueChange={onValueChange}
          errors={{
            postcode: errors['pickup.postcode'],
            address1: errors['pickup.address1'],
            address2: errors['pickup.address2'],
          }}
        />
      </div>
      <DestinationDialog
        open={choosing}
        onOpenChange={setChoosing}
        destinations={saved}
        onPick={(to) => onValueChange(pickupAt(to))}
      />
    </Card>
  )
}
