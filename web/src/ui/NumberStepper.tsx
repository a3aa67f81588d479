// A quantity: buttons for less and more, and a number input.
import { Minus, Plus } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { cn } from '../lib/cn'
import { pressable } from './Button'

const words = {
  atMost: (most: number) => `${most}개까지 선택할 수 있습니다.`,
  atLeast: (least: number) => `${least}개부터 선택할 수 있습니다.`,
  whole: '소수점이나 기호 없이 숫자만 입력해 주세요.',
  kept: (typed: string, count: number) =>
    typed === ''
      ? `수량이 비어 있어 ${count}개로 되돌렸습니다.`
      : `‘${typed}’ 대신 ${count}개로 되돌렸습니다. 소수점이나 기호 없이 숫자만 입력해 주세요.`,
}

type NumberStepperProps = {
  value: number
  onValueChange: (value: number) => void
  min?: number
  max?: number
  /** Error of the number. */
  error?: string
  /** Accessible name. */
  label?: string
  size?: 'sm' | 'md'
  disabled?: boolean
  className?: string
}

const WHOLE = /^\d+$/

export function NumberStepper({
  value,
  onValueChange,
  min = 1,
  max = 999,
  error,
  label = '수량',
  size = 'md',
  disabled = false,
  className,
}: NumberStepperProps) {
  // Invalid text is allowed while typing. On blur it becomes a number; otherwise the value stays and a note is shown.
  const [typed, setTyped] = useState<string>()
  const [note, setNote] = useState<string>()
  const noteId = useId()
  const group = useRef<HTMLDivElement>(null)
  const text = typed?.trim()
  const isWrong = text !== undefined && !WHOLE.test(text)
  const shownNote = isWrong ? text && words.whole : (note ?? error)
  const settle = (next: number) => {
    setTyped(undefined)
    const bounded = Math.min(max, Math.max(min, next))
    setNote(next > max ? words.atMost(max) : next < min ? words.atLeast(min) : undefined)
    if (bounded !== value) onValueChange(bounded)
  }
  const leave = () => {
    if (text === undefined) return
    if (!isWrong) return settle(Number(text))
    setTyped(undefined)
    setNote(words.kept(text, value))
  }
  useDroppedPress(isWrong, group, leave)
  const button =
    'flex aspect-square h-full items-center justify-center text-ink transition-colors hover:bg-sunken aria-disabled:pointer-events-none aria-disabled:text-line-strong'
  return (
    <div className={cn('inline-flex max-w-full flex-col items-start gap-1', className)}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be an inline row of one number */}
      <div
        ref={group}
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
          aria-invalid={isWrong || error !== undefined || undefined}
          aria-describedby={shownNote ? noteId : undefined}
          onChange={(event) => {
            setTyped(event.target.value)
            setNote(undefined)
          }}
          onBlur={leave}
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
      {shownNote && (
        <p id={noteId} role="alert" className="wrap-anywhere text-danger text-xs">
          {shownNote}
        </p>
      )}
    </div>
  )
}

/** The click that leaves an invalid text does nothing else: a button under it would send the previous value. */
function useDroppedPress(isWrong: boolean, field: RefObject<HTMLElement | null>, leave: () => void): void {
  const onPress = useEffectEvent((event: MouseEvent) => {
    if (field.current?.contains(event.target as Node)) return
    event.preventDefault()
    event.stopPropagation()
    leave()
  })
  useEffect(() => {
    if (!isWrong) return
    const over = new AbortController()
    const during = { capture: true, signal: over.signal }
    document.addEventListener('click', (event) => onPress(event), during)
    // Invalid text is replaced on pointerdown, before the click; the next click counts.
    return () => {
      for (const next of ['pointerdown', 'keydown']) document.addEventListener(next, () => over.abort(), during)
    }
  }, [isWrong])
}
