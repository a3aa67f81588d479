// Stars of a review: display and input.
import { Star } from 'lucide-react'
import { useId } from 'react'
import { grouped } from '../i18n/number'
import { cn } from '../lib/cn'

const outOfFive = (n: number) => `5점 만점에 ${n}점`
const STARS = [1, 2, 3, 4, 5]
const lit = (on: boolean): string => (on ? 'fill-accent text-accent' : 'fill-line text-line')

export function Rating({
  stars,
  count,
  className,
}: {
  stars: number /** How many reviews. */
  count?: number
  className?: string
}) {
  return (
    <span className={cn('inline-flex items-center gap-1 align-middle text-sm', className)}>
      <span role="img" aria-label={outOfFive(stars)} className="inline-flex">
        {STARS.map((n) => (
          <Star key={n} aria-hidden className={cn('size-[1.05em]', lit(n <= Math.round(stars)))} />
        ))}
      </span>
      {count !== undefined && <span className="figures text-ink-3">({grouped(count)})</span>}
    </span>
  )
}

/** Input of one to five stars. */
export function RatingInput({ value, onValueChange }: { value: number; onValueChange: (stars: number) => void }) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label="별점" className="inline-flex">
      {STARS.map((n) => (
        <label key={n} className="cursor-pointer rounded-xs p-0.5 has-focus-visible:outline-2">
          <input type="radio" name={name} checked={value === n} onChange={() => onValueChange(n)} className="sr-only" />
          <span className="sr-only">{outOfFive(n)}</span>
          <Star aria-hidden className={cn('size-7', lit(n <= value))} />
        </label>
      ))}
    </div>
  )
}
