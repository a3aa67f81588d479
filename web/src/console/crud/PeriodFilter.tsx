// The period filter of a list: chips for common periods until today, and two date inputs for others.
import { Chips } from '../../ui/Checkbox'
import { DayInputs } from '../Period'
import { daysAgo } from '../useListState'
import { words } from '../words'

const t = words.period
const PERIODS = [7, 30, 90]

/** Seoul days; an empty one means no limit. */
type PeriodFilterProps = { from: string; to: string; onPeriod: (from: string, to: string) => void }

export function PeriodFilter({ from, to, onPeriod }: PeriodFilterProps) {
  const quick = PERIODS.find((days) => to === '' && from === daysAgo(days - 1))
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <Chips
        label={t.anyTime}
        options={[
          { value: '', label: t.anyTime },
          ...PERIODS.map((days) => ({ value: String(days), label: t.days(days) })),
        ]}
        value={quick ? String(quick) : from || to ? 'own' : ''}
        onValueChange={(days) => onPeriod(days ? daysAgo(Number(days) - 1) : '', '')}
      />
      <DayInputs from={from} to={to} onDay={(part) => onPeriod(part.from ?? from, part.to ?? to)} />
    </div>
  )
}
