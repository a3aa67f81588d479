// The options of a product, chosen step by step, and the stack of what was chosen with a quantity each.
import { X } from 'lucide-react'
import { useState } from 'react'
import type { ProductDetail } from '../../api/types'
import { cn } from '../../lib/cn'
import { formatMoney } from '../../lib/money'
import { IconButton } from '../../ui/Button'
import { Money } from '../../ui/Money'
import { NumberStepper } from '../../ui/NumberStepper'
import { autoSelectSingle, choose, hasOptions, type OptionChoice, stepChoices, steps, unitPriceOf } from './options'

type OptionPickerProps = {
  product: ProductDetail
  chosen: readonly OptionChoice[]
  onChosen: (chosen: OptionChoice[]) => void
  /** Nothing is chosen, and something has to be. */
  isMissing: boolean
}

export function OptionPicker({ product, chosen, onChosen, isMissing }: OptionPickerProps) {
  const set = (at: OptionChoice, quantity: number) =>
    onChosen(chosen.map((one) => (one === at ? { ...one, quantity } : one)))
  return (
    <div className="grid gap-5">
      {hasOptions(product) && <Steps product={product} onPick={(option) => onChosen(choose(chosen, option))} />}
      {isMissing && (
        <p role="alert" className="text-danger text-sm">
          옵션을 먼저 선택해 주세요.
        </p>
      )}
      {chosen.length > 0 && (
        <ul aria-label="선택한 상품" className="grid gap-2">
          {chosen.map((one) => (
            <li key={one.option?._id ?? product._id} className="rounded-md bg-sunken px-4 py-3">
              <div className="flex items-start justify-between gap-3">
                <p className="min-w-0 flex-1 py-1 font-medium text-sm">{one.option?.value ?? product.name}</p>
                {one.option && (
                  <IconButton
                    label={`${one.option.value} 삭제`}
                    size="sm"
                    className="-mr-2"
                    onClick={() => onChosen(chosen.filter((other) => other !== one))}
                  >
                    <X aria-hidden />
                  </IconButton>
                )}
              </div>
              <div className="mt-1 flex items-center justify-between">
                <NumberStepper
                  size="sm"
                  label={`${one.option?.value ?? product.name} 수량`}
                  value={one.quantity}
                  max={Math.max(1, one.option?.stock ?? product.stock)}
                  onValueChange={(quantity) => set(one, quantity)}
                />
                <Money amount={unitPriceOf(product, one) * one.quantity} className="font-bold" />
              </div>
            </li>
          ))}
        </ul>
      )}
      <p aria-live="polite" className={cn('flex items-baseline justify-between', chosen.length === 0 && 'text-ink-3')}>
        <span className="text-sm">총 {chosen.reduce((sum, one) => sum + one.quantity, 0)}개</span>
        <Money
          amount={chosen.reduce((sum, one) => sum + unitPriceOf(product, one) * one.quantity, 0)}
          className="font-extrabold text-2xl"
        />
      </p>
    </div>
  )
}

type Pick = (option: ProductDetail['options'][number]) => void

function Steps({ product, onPick }: { product: ProductDetail; onPick: Pick }) {
  const [clicked, setPicked] = useState<string[]>([])
  const names = steps(product.options)
  const picked = autoSelectSingle(product.options, names.length, clicked)
  return (
    <div className="grid gap-4">
      {names.map((name, at) => {
        const before = picked.slice(0, at)
        const open = before.length === at
        return (
          <fieldset key={name} disabled={!open} className={cn('min-w-0', !open && 'opacity-50')}>
            <legend className="mb-2 font-medium text-sm">
              {name}
              {!open && <span className="ml-2 font-normal text-ink-3">{names[at - 1]}부터 선택해 주세요</span>}
            </legend>
            <div className="flex flex-wrap gap-2">
              {/* A step that is not open yet shows what there is, whatever is picked before. */}
              {(open ? stepChoices(product.options, names.length, before) : outline(product, names.length, at)).map(
                (choice) => {
                  const { option } = choice
                  const extra = option ? option.salePrice - product.salePrice : 0
                  return (
                    <button
                      key={choice.value}
                      type="button"
                      disabled={choice.soldOut}
                      aria-pressed={at < names.length - 1 ? picked[at] === choice.value : undefined}
                      onClick={() => {
                        if (!option) return setPicked([...before, choice.value])
                        setPicked([])
                        onPick(option)
                      }}
                      className="flex min-h-11 items-center gap-2 rounded-md border border-line-strong bg-raised px-3.5 py-2 text-left text-sm transition-colors hover:border-ink disabled:bg-sunken disabled:text-ink-3 aria-pressed:border-ink aria-pressed:font-semibold aria-pressed:ring-1 aria-pressed:ring-ink"
                    >
                      {choice.image && (
                        <img
                          src={choice.image}
                          alt=""
                          loading="lazy"
                          className="-my-1 -ml-2 size-9 shrink-0 rounded-sm bg-picture object-contain"
                        />
                      )}
                      {choice.hexa && !choice.image && (
                        <span
                          aria-hidden
                          style={{ background: choice.hexa }}
                          className="size-4.5 shrink-0 rounded-full border border-line"
                        />
                      )}
                      <span className={choice.soldOut ? 'line-through' : undefined}>{choice.value}</span>
                      {choice.soldOut ? (
                        <span className="shrink-0 text-xs">품절</span>
                      ) : (
                        <>
                          {extra !== 0 && (
                            <span className="figures shrink-0 text-ink-3 text-xs">
                              {extra > 0 ? '+' : ''}
                              {formatMoney(extra)}
                            </span>
                          )}
                          {option && option.stock <= FEW && (
                            <span className="figures shrink-0 text-accent text-xs">{option.stock}개 남음</span>
                          )}
                        </>
                      )}
                    </button>
                  )
                },
              )}
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}

/** From how many pieces on the stock is worth a warning. */
const FEW = 5

/** All values of a step that cannot be chosen from yet. */
function outline(product: ProductDetail, count: number, at: number) {
  const values = [...new Set(product.options.map((option) => option.value.split(' / ')[at] ?? ''))]
  return count > 1
    ? values.map((value) => ({ value, soldOut: false, hexa: undefined, image: undefined, option: undefined }))
    : []
}
