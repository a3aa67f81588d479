// Postcode, road address and details: the first two are filled by the address search, or typed if it does not find the place.
import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { LINE_MOST } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { AddressSearch } from './AddressSearch'

export type AddressText = { postcode: string; address1: string; address2: string }

type AddressFieldsProps = {
  value: AddressText
  onValueChange: (part: Partial<AddressText>) => void
  errors: { postcode?: string; address1?: string; address2?: string }
}

export function AddressFields({ value, onValueChange, errors }: AddressFieldsProps) {
  const [finding, setFinding] = useState(false)
  const details = useRef<HTMLInputElement>(null)
  return (
    <>
      <Field label="우편번호" required error={errors.postcode} className="sm:col-span-2">
        <div className="flex gap-2">
          <Input
            className="max-w-40"
            inputMode="numeric"
            autoComplete="shipping postal-code"
            maxLength={5}
            value={value.postcode}
            onChange={(event) => onValueChange({ postcode: event.target.value.replace(/\D/g, '') })}
          />
          <Button variant="outline" onClick={() => setFinding(true)}>
            <Search aria-hidden />
            주소 찾기
          </Button>
        </div>
      </Field>
      <Field label="주소" required error={errors.address1} className="sm:col-span-2">
        <Input
          autoComplete="shipping address-line1"
          placeholder="도로명 주소"
          maxLength={LINE_MOST}
          value={value.address1}
          onChange={(event) => onValueChange({ address1: event.target.value })}
        />
      </Field>
      <Field label="상세주소" error={errors.address2} className="sm:col-span-2">
        <Input
          ref={details}
          autoComplete="shipping address-line2"
          placeholder="동, 호수"
          maxLength={LINE_MOST}
          value={value.address2}
          onChange={(event) => onValueChange({ address2: event.target.value })}
        />
      </Field>
      <AddressSearch
        open={finding}
        onOpenChange={setFinding}
        onPick={({ postcode, address1 }) => {
          onValueChange({ postcode, address1 })
          // The dialog restores the focus to its button first.
          setTimeout(() => details.current?.focus(), 50)
        }}
      />
    </>
  )
}
