// The period of a statistics page: chips for common periods, two date inputs for others. Stored in the address.
import { type FocusEvent, useEffect, useRef, useState } from 'react'
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

/** The days as typed; which of them are incomplete; which one was made later than the last day or earlier than the first. */
type Draft = { days: readonly string[]; partial: readonly boolean[]; reversed?: number }

/** Some parts are empty, or the year is still being typed: "0020" on the way to "2026". */
const isPartial = ({ value, validity }: HTMLInputElement) => validity.badInput || value.startsWith('0')

/**
 * Two dates. A reversed period or an incomplete date shows an error at its input and triggers no query. While an input has the focus
 * it shows what was typed, not the given days: the address follows a moment later, and a browser forgets the digits typed so far when
 * the input is set back meanwhile.
 */
export function DayRange({ labels, hideLabels = false, from, to, onDays, className }: DayRangeProps) {
  const [draft, setDraft] = useState<Draft>()
  const hasFocus = useRef(false)
  const range = useRef<HTMLDivElement>(null)
  // The period changed from outside: show the new one.
  const given = `${from},${to}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the period changes
  useEffect(() => {
    if (!hasFocus.current) setDraft(undefined)
  }, [given])
  const { days, partial, reversed }: Draft = draft ?? { days: [from, to], partial: [false, false] }

  const take = (at: number, input: HTMLInputElement) => {
    const next = days.map((day, i) => (i === at ? input.value : day))
    const [first = '', last = ''] = next
    const stays = partial.map((is, i) => is && i !== at)
    const isWrong = first !== '' && last !== '' && first > last
    setDraft({ days: next, partial: stays, reversed: isWrong && !isPartial(input) ? at : undefined })
    if (!isWrong && !isPartial(input) && !stays.includes(true)) onDays(first, last)
  }

  const leave = (at: number, { currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
    hasFocus.current = false
    const found = partial.map((is, i) => (i === at ? isPartial(currentTarget) : is))
    const isInside = range.current?.contains(relatedTarget) === true
    setDraft(
      isInside || found.includes(true) || reversed !== undefined ? { days, partial: found, reversed } : undefined,
    )
  }

  return (
    <div ref={range} className={className}>
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
          error={partial[i] ? words.period.partial : reversed === i ? words.period.reversed : undefined}
        >
          <Input
            type="date"
            max={MAX_DATE}
            value={days[i]}
            onFocus={() => {
              hasFocus.current = true
            }}
            onChange={(event) => take(i, event.target)}
            onBlur={(event) => leave(i, event)}
          />
        </Field>
      ))}
    </div>
  )
}
