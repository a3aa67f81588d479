// The period of a statistics page: chips for common periods, two date inputs for others. Stored in the address.
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { MAX_DATE } from '../lib/validators'
import { Chips } from '../ui/Checkbox'
import { Field } from '../ui/Field'
import { Input } from '../ui/Input'
import { daysAgo } from './useListState'
import { words } from './words'

const PERIODS = [7, 30, 90, 365]
const USUAL = 30

/** The first and the last day, in Seoul time. */
export type Days = { from: string; to: string }

export function usePeriod(): Days & { set: (part: Partial<Days>) => void } {
  const [params, setParams] = useSearchParams()
  return {
    from: params.get('from') || daysAgo(USUAL - 1),
    to: params.get('to') || daysAgo(0),
    set: (part) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          next.delete('page')
          for (const [name, value] of Object.entries(part)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { preventScrollReset: true },
      ),
  }
}

export function PeriodPicker({ from, to, set }: ReturnType<typeof usePeriod>) {
  const quick = PERIODS.find((n) => to === daysAgo(0) && from === daysAgo(n - 1))
  return (
    <>
      <Chips
        label={words.period.title}
        options={PERIODS.map((n) => ({ value: String(n), label: words.period.days(n) }))}
        value={quick ? String(quick) : 'own'}
        onValueChange={(n) => set({ from: daysAgo(Number(n) - 1), to: undefined })}
      />
      <DayInputs from={from} to={to} onDay={set} />
    </>
  )
}

/** Inputs for the first and the last day. */
export const DayInputs = ({ from, to, onDay }: Days & { onDay: (part: Partial<Days>) => void }) => (
  <DayRange
    className="flex items-start gap-x-6 gap-y-2 max-xs:w-full xs:flex-wrap max-xs:[&>div]:min-w-0 max-xs:[&>div]:flex-1 max-xs:[&_input]:px-2"
    labels={[words.period.from, words.period.to]}
    hideLabels
    from={from}
    to={to}
    onDays={(first, last) => onDay({ from: first, to: last })}
  />
)

type DayRangeProps = Days & {
  labels: readonly [string, string]
  hideLabels?: boolean
  onDays: (from: string, to: string) => void
  className?: string
}

/** Two dates. A reversed period shows an error at the changed date and triggers no query. */
export function DayRange({ labels, hideLabels = false, from, to, onDays, className }: DayRangeProps) {
  const given = [from, to]
  const [reversed, setReversed] = useState<{ days: readonly string[]; changed: number; given: string }>()
  const now = given.join()
  // The period changed from outside: show the new one.
  const fault = reversed?.given === now ? reversed : undefined
  const days = fault?.days ?? given
  const take = (changed: number, day: string) => {
    const [first = '', last = ''] = days.map((one, i) => (i === changed ? day : one))
    if (first && last && first > last) return setReversed({ days: [first, last], changed, given: now })
    setReversed(undefined)
    onDays(first, last)
  }
  return (
    <div className={className}>
      {labels.map((label, i) => (
        <Field
          key={label}
          className={
            hideLabels && i > 0
              ? "relative before:absolute before:top-2.5 before:-left-4 before:text-ink-3 before:content-['~']"
              : undefined
          }
          label={label}
          hideLabel={hideLabels}
          error={fault?.changed === i ? words.period.reversed : undefined}
        >
          <Input type="date" max={MAX_DATE} value={days[i]} onChange={(event) => take(i, event.target.value)} />
        </Field>
      ))}
    </div>
  )
}
