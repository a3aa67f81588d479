// Moments: as a date in Seoul, or as the distance from now.
import { useEffect, useState } from 'react'
import { cn } from '../lib/cn'
import { type DateStyle, formatDate, relativeTime, timeLeft } from '../lib/date'

type Moment = string | number | Date
const iso = (moment: Moment): string | undefined => {
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

type DateTextProps = {
  value: Moment
  style?: DateStyle
  /** In narrow places the time is below the day. */
  folds?: boolean
  className?: string
}

export function DateText({ value, style = 'date', folds = false, className }: DateTextProps) {
  const text = formatDate(value, style)
  return (
    <time dateTime={iso(value)} className={cn(!folds && 'whitespace-nowrap', className)}>
      {folds ? <WrappingText text={text} /> : text}
    </time>
  )
}

const WrappingText = ({ text }: { text: string }) => {
  const [day, time] = text.split(/ (?=\d\d:)/)
  return (
    <>
      <span className="whitespace-nowrap">{day}</span> <span className="whitespace-nowrap">{time}</span>
    </>
  )
}

const TICK_MS = 30_000

function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}

/** `3시간 전`; the exact moment on hover (spec V294-V299). */
export function RelativeTime({ value, className }: { value: Moment; className?: string }) {
  const now = useNow(TICK_MS)
  return (
    <time dateTime={iso(value)} title={formatDate(value, 'datetime')} className={className}>
      {relativeTime(value, now)}
    </time>
  )
}

/** `2시간 남음`, or a text that it has ended (spec V300). */
export function TimeLeft({ until, className }: { until: Moment; className?: string }) {
  const now = useNow(1000)
  return (
    <time dateTime={iso(until)} title={formatDate(until, 'datetime')} className={className}>
      {timeLeft(until, now)}
    </time>
  )
}
