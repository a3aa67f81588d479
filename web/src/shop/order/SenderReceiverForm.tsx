// 주문자 and 배송지: who orders, who gets it, and what the courier should know.
import { useState } from 'react'
import type { Destination } from '../../api/types'
import { AddressFields } from '../../features/addresses/AddressFields'
import { DestinationDialog } from '../../features/addresses/DestinationDialog'
import type { FormErrors } from '../../features/forms/useForm'
import { LINE_MOST } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Input, PhoneInput, Select, Textarea } from '../../ui/Input'
import { type CheckoutForm, CUSTOM_MESSAGE, fromDestination, MESSAGES, receiverOf } from './checkoutForm'

export type CheckoutSectionProps = {
  sheet: CheckoutForm
  /** Changes some of the sheet. */
  change: (part: Partial<CheckoutForm>) => void
  errors: FormErrors
}

export function SenderSection({ sheet, change, errors, guest }: CheckoutSectionProps & { guest: boolean }) {
  const set = (part: Partial<CheckoutForm['sender']>) => change({ sender: { ...sheet.sender, ...part } })
  return (
    <Card title="주문자">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="이름" required error={errors['sender.name']}>
          <Input
            autoComplete="name"
            maxLength={LINE_MOST}
            value={sheet.sender.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label="휴대폰 번호" required error={errors['sender.phone']}>
          <PhoneInput value={sheet.sender.phone} onValueChange={(phone) => set({ phone })} />
        </Field>
        <Field
          label="이메일"
          required={guest}
          error={errors['sender.email']}
          hint={guest ? '주문번호와 진행 상황을 보내 드립니다.' : undefined}
          className="sm:col-span-2"
        >
          <Input
            type="email"
            autoComplete="email"
            value={sheet.sender.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        </Field>
      </div>
      {guest && (
        <p className="mt-4 rounded-md bg-sunken px-4 py-3 text-ink-2 text-sm">
          비회원으로 주문합니다. 주문은 주문번호와 휴대폰 번호로 조회할 수 있습니다.
        </p>
      )}
    </Card>
  )
}

type ReceiverProps = CheckoutSectionProps & {
  /** The member's address book; undefined for guests. */
  destinations: readonly Destination[] | undefined
}

export function ReceiverSection({ sheet, change, errors, destinations }: ReceiverProps) {
  const [choosing, setChoosing] = useState(false)
  const shown = receiverOf(sheet)
  const set = (part: Partial<CheckoutForm['receiver']>) => change({ receiver: { ...sheet.receiver, ...part } })
  const book = destinations ?? []
  return (
    <Card
      title="배송지"
      headerAction={
        book.length > 0 && (
          <Button variant="outline" size="sm" onClick={() => setChoosing(true)}>
            배송지 목록
          </Button>
        )
      }
    >
      <Checkbox
        label="주문자와 동일"
        checked={sheet.same}
        onChange={(event) =>
          // Unticking keeps what stood there, to be changed.
          change({ same: event.target.checked, receiver: shown })
        }
      />
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field label="받는 분" required error={errors['receiver.name']}>
          <Input
            autoComplete="shipping name"
            maxLength={LINE_MOST}
            value={shown.name}
            disabled={sheet.same}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label="받는 분 휴대폰 번호" required error={errors['receiver.phone']}>
          <PhoneInput
            autoComplete="shipping tel"
            value={shown.phone}
            disabled={sheet.same}
            onValueChange={(phone) => set({ phone })}
          />
        </Field>
        <AddressFields
          value={sheet.receiver}
          onValueChange={set}
          errors={{
            postcode: errors['receiver.postcode'],
            address1: errors['receiver.address1'],
            address2: errors['receiver.address2'],
          }}
        />
        <Field label="배송메시지" className="sm:col-span-2">
          <Select
            value={sheet.message}
            placeholder="배송메시지를 선택해 주세요"
            options={[
              ...MESSAGES.map((text) => ({ value: text, label: text })),
              { value: CUSTOM_MESSAGE, label: '직접 입력' },
            ]}
            onChange={(event) => change({ message: event.target.value })}
          />
        </Field>
        {sheet.message === CUSTOM_MESSAGE && (
          <Field label="배송메시지 직접 입력" hideLabel error={errors.requestMessage} className="sm:col-span-2">
            <Textarea
              rows={2}
              maxLength={100}
              placeholder="배송기사님께 전할 메시지 (100자까지)"
              value={sheet.ownMessage}
              onChange={(event) => change({ ownMessage: event.target.value })}
            />
          </Field>
        )}
      </div>
      {destinations && (
        <Checkbox
          label="이 배송지를 내 목록에 저장"
          checked={sheet.saveDestination}
          onChange={(event) => change({ saveDestination: event.target.checked })}
          className="mt-4"
        />
      )}
      <DestinationDialog
        open={choosing}
        onOpenChange={setChoosing}
        destinations={book}
        onPick={(to) => change({ same: false, receiver: fromDestination(to), saveDestination: false })}
      />
    </Card>
  )
}
