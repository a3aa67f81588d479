// "Fill all": one price, stock or sale switch for every option of a product.
import { PaintBucket } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import { type InvalidEntry, isInvalid } from '../crud/entry'
import { NumberField } from '../crud/inputs/NumberField'
import { PIECES, PIECES_MOST } from './QuantityField'

/** Values set for every option; a value that is missing is not changed. */
export type OptionValues = { price?: number; stock?: number; enabled?: boolean }

type Entry = number | null | InvalidEntry

export function OptionsFill({ onFill }: { onFill: (filling: OptionValues) => void }) {
  const [price, setPrice] = useState<Entry>(null)
  const [stock, setStock] = useState<Entry>(null)
  const [enabled, setEnabled] = useState('')
  const isEmpty = price === null && stock === null && enabled === ''
  const fill = () => {
    onFill({
      ...(typeof price === 'number' && { price }),
      ...(typeof stock === 'number' && { stock }),
      ...(enabled !== '' && { enabled: enabled === 'Y' }),
    })
    setPrice(null)
    setStock(null)
    setEnabled('')
  }
  return (
    <fieldset className="grid grid-cols-2 items-end gap-3 rounded-md border border-line p-4 sm:grid-cols-[8.5rem_7rem_8rem_auto]">
      <legend className="px-1 font-semibold text-sm">모든 옵션에 채우기</legend>
      <NumberField label="추가금액" type="amount" min={0} value={price} onValueChange={setPrice} />
      <NumberField
        label="재고"
        type="integer"
        after={PIECES}
        min={0}
        max={PIECES_MOST}
        value={stock}
        onValueChange={setStock}
      />
      <Field label="판매">
        <Select
          placeholder="그대로"
          options={[
            { value: 'Y', label: '판매' },
            { value: 'N', label: '판매 안 함' },
          ]}
          value={enabled}
          onChange={(event) => setEnabled(event.target.value)}
        />
      </Field>
      <Button
        size="sm"
        variant="outline"
        className="mb-1.5 w-fit"
        disabled={isEmpty || isInvalid(price) || isInvalid(stock)}
        onClick={fill}
      >
        <PaintBucket aria-hidden />
        모두 채우기
      </Button>
    </fieldset>
  )
}
