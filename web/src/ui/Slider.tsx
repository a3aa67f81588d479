// One or two thumbs on a track (price range, percent). Arrow keys move them.
import { Slider as Radix } from 'radix-ui'
import { cn } from '../lib/cn'

type SliderProps = {
  /** A name per thumb: two names make a range. */
  labels: readonly string[]
  /** Text of a value for screen readers, per thumb. */
  valueTexts?: readonly string[]
  values: number[]
  onValues: (values: number[]) => void
  /** Called on release (to query the server then). */
  onSettled?: (values: number[]) => void
  min?: number
  max: number
  step?: number
  className?: string
}

export function Slider({
  labels,
  valueTexts,
  values,
  onValues,
  onSettled,
  min = 0,
  max,
  step = 1,
  className,
}: SliderProps) {
  return (
    <Radix.Root
      value={values}
      onValueChange={onValues}
      onValueCommit={onSettled}
      min={min}
      max={max}
      step={step}
      className={cn('relative flex h-6 touch-none select-none items-center', className)}
    >
      <Radix.Track className="relative h-1 grow rounded-full bg-line">
        <Radix.Range className="absolute h-full rounded-full bg-ink" />
      </Radix.Track>
      {labels.map((label, i) => (
        <Radix.Thumb
          key={label}
          aria-label={label}
          aria-valuetext={valueTexts?.[i]}
          className="tap block size-5 rounded-full border-2 border-ink bg-raised shadow-card"
        />
      ))}
    </Radix.Root>
  )
}
