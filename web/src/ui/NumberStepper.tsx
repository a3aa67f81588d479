// A quantity: less, a number one may type, more.
import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../lib/cn'
import { pressable } from './Button'

const words = {
  atMost: (most: number) => `${most}개까지 선택할 수 있습니다.`,
  atLeast: (least: number) => `${least}개부터 선택할 수 있습니다.`,
}

type NumberStepperProps = {
  value: number
  onValueChange: (value: number) => void
  min?: number
  max?: number
  /** What is counted, said aloud. */
  label?: string
  size?: 'sm' | 'md'
  disabled?: boolean
  className?: string
}

export function NumberStepper({
  value,
  onValueChange,
  min = 1,
  max = 999,
  label = '수량',
  size = 'md',
  disabled = false,
  className,
}: NumberStepperProps) {
  // While one types, the text may be no number; it becomes one on leaving.
  const [typed, setTyped] = useState<string>()
  const [note, setNote] = useState<string>()
  const settle = (next: number) => {
    setTyped(undefined)
    const bounded = Math.min(max, Math.max(min, next))
    setNote(next > max ? words.atMost(max) : next < min ? words.atLeast(min) : undefined)
    if (bounded !== value) onValueChange(bounded)
  }
  const button =
    'flex aspect-square h-full items-center justify-center text-ink transition-colors hover:bg-sunken aria-disabled:pointer-events-none aria-disabled:text-line-strong'
  return (
    <div className={cn('inline-flex max-w-full flex-col items-start gap-1', className)}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be an inline row of one number */}
      <div
        role="group"
        aria-label={label}
        className={cn(
          'inline-flex items-center overflow-hidden rounded-md border border-line-strong bg-raised',
          size === 'sm' ? 'h-9' : 'h-11',
        )}
      >
        <button
          type="button"
          aria-label="수량 줄이기"
          {...pressable(disabled || value <= min, () => settle(value - 1))}
          className={button}
        >
          <Minus aria-hidden className="size-4" />
        </button>
        <input
          aria-label={label}
          inputMode="numeric"
          disabled={disabled}
          value={typed ?? String(value)}
          onChange={(event) => setTyped(event.target.value.replace(/\D/g, '').slice(0, 6))}
          onBlur={() => typed !== undefined && settle(typed === '' ? value : Number(typed))}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
            if (event.key === 'ArrowUp') settle(value + 1)
            if (event.key === 'ArrowDown') settle(value - 1)
          }}
          className="figures h-full w-11 bg-transparent text-center font-semibold focus:outline-none focus:ring-2 focus:ring-ink focus:ring-inset"
        />
        <button
          type="button"
          aria-label="수량 늘리기"
          {...pressable(disabled || value >= max, () => settle(value + 1))}
          className={button}
        >
          <Plus aria-hidden className="size-4" />
        </button>
      </div>
      {note && (
        <p role="alert" className="text-danger text-xs">
          {note}
        </p>
      )}
    </div>
  )
}
