// The period of a page of figures: chips for the usual ones, two days for any other. It is in the address.
import { useSearchParams } from 'react-router'
import { MAX_DATE } from '../lib/validators'
import { Chips } from '../ui/Choice'
import { Field } from '../ui/Field'
import { Input } from '../ui/Input'
import { daysAgo } from './listing'
import { words } from './words'

const PERIODS = [7, 30, 90, 365]
const USUAL = 30

/** The first and the last Seoul day. */
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
        label={words.sales.period}
        options={PERIODS.map((n) => ({ value: String(n), label: words.period.days(n) }))}
        value={quick ? String(quick) : 'own'}
        onValue={(n) => set({ from: daysAgo(Number(n) - 1), to: undefined })}
      />
      <DayInputs from={from} to={to} onDay={set} />
    </>
  )
}

/** The first and the last day, typed. */
export const DayInputs = ({ from, to, onDay }: Days & { onDay: (part: Partial<Days>) => void }) => (
  <div className="flex flex-wrap items-center gap-2 max-xs:w-full max-xs:[&>div]:flex-1">
    <Field label={words.period.from} hideLabel>
      <Input type="date" max={MAX_DATE} value={from} onChange={(event) => onDay({ from: event.target.value })} />
    </Field>
    <span aria-hidden className="text-ink-3">
      ~
    </span>
    <Field label={words.period.to} hideLabel>
      <Input type="date" max={MAX_DATE} value={to} onChange={(event) => onDay({ to: event.target.value })} />
    </Field>
  </div>
)
