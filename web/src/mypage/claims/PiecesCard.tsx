// The quantity of a purchase to send back.
import type { PurchaseRow } from '../../api/types'
import { Card } from '../../ui/Card'
import { NumberStepper } from '../../ui/NumberStepper'
import { Picture } from '../../ui/Picture'

type PiecesCardProps = {
  /** `반품`: the kind of application. */
  word: string
  line: PurchaseRow
  quantity: number
  onQuantity: (count: number) => void
  error: string | undefined
}

export function PiecesCard({ word, line, quantity, onQuantity, error }: PiecesCardProps) {
  return (
    <Card title={`${word}할 상품`}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Picture src={line.thumb} alt="" sizes="56px" className="w-14 shrink-0" />
        <p className="min-w-0 flex-1 basis-44">
          <span className="block font-medium leading-snug">{line.name}</span>
          <span className="block text-ink-3 text-sm">
            {[line.optionName, `${line.quantity}개`].filter(Boolean).join(' · ')}
          </span>
        </p>
        {line.quantity > 1 && (
          <NumberStepper label={`${word}할 수량`} value={quantity} max={line.quantity} onValueChange={onQuantity} />
        )}
      </div>
      {error && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {error}
        </p>
      )}
    </Card>
  )
}
