// Selects purchases of an order, and the quantity of each.
import type { PurchaseRow } from '../../api/types'
import { Checkbox } from '../../ui/Checkbox'
import { Fieldset } from '../../ui/Field'
import { NumberStepper } from '../../ui/NumberStepper'
import { Picture } from '../../ui/Picture'

/** Quantities by purchase number; unselected purchases are absent. */
export type Pieces = Readonly<Record<string, number>>

type PieceChooserProps = {
  lines: readonly PurchaseRow[]
  pieces: Pieces
  onPieces: (pieces: Pieces) => void
  error: string | undefined
}

const without = (pieces: Pieces, purchaseNo: string): Pieces =>
  Object.fromEntries(Object.entries(pieces).filter(([no]) => no !== purchaseNo))

/** All pieces of all lines. */
export const allPieces = (lines: readonly PurchaseRow[]): Pieces =>
  Object.fromEntries(lines.map(({ purchaseNo, quantity }) => [purchaseNo, quantity]))

export function PieceChooser({ lines, pieces, onPieces, error }: PieceChooserProps) {
  const isAll = lines.every(({ purchaseNo }) => pieces[purchaseNo])
  return (
    <Fieldset legend="취소할 상품" hideLegend error={error}>
      {lines.length > 1 && (
        <Checkbox
          label="전체 선택"
          checked={isAll}
          indeterminate={Object.keys(pieces).length > 0}
          onChange={() => onPieces(isAll ? {} : allPieces(lines))}
          className="mb-3 font-medium"
        />
      )}
      <ul className="divide-y divide-line border-line border-y">
        {lines.map((line) => {
          const { purchaseNo, name, optionName, quantity } = line
          const chosen = pieces[purchaseNo]
          return (
            <li key={purchaseNo} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
              <Checkbox
                className="min-w-0 flex-1 basis-56"
                checked={chosen !== undefined}
                onChange={(event) =>
                  onPieces(event.target.checked ? { ...pieces, [purchaseNo]: quantity } : without(pieces, purchaseNo))
                }
                label={
                  <span className="flex gap-3">
                    <Picture src={line.thumb} alt="" sizes="56px" className="w-14 shrink-0" />
                    <span className="min-w-0">
                      <span className="block font-medium leading-snug">{name}</span>
                      <span className="block text-ink-3 text-sm">
                        {[optionName, `${quantity}개`].filter(Boolean).join(' · ')}
                      </span>
                      {!line.nextActions.includes('cancel') && (
                        <span className="block text-sm text-warning">준비 중 · 판매자 승인 후 취소</span>
                      )}
                    </span>
                  </span>
                }
              />
              {quantity > 1 && (
                <NumberStepper
                  size="sm"
                  label={`${name} 취소할 수량`}
                  value={chosen ?? quantity}
                  max={quantity}
                  disabled={chosen === undefined}
                  onValueChange={(count) => onPieces({ ...pieces, [purchaseNo]: count })}
                />
              )}
            </li>
          )
        })}
      </ul>
    </Fieldset>
  )
}
