// The period a list is narrowed to: two days, and chips for the usual ones that go on until today.
import { MAX_DATE } from '../../lib/validators'
import { Chips } from '../../ui/Choice'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { daysAgo } from '../listing'
import { words } from '../words'

const t = words.period
const PERIODS = [7, 30, 90]

/** Seoul days; an empty one is no limit. */
type PeriodFilterProps = { from: string; to: string; onPeriod: (from: string, to: string) => void }

export function PeriodFilter({ from, to, onPeriod }: PeriodFilterProps) {
  const quick = PERIODS.find((days) => to === '' && from === daysAgo(days - 1))
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <div className="flex flex-wrap items-end gap-2 max-xs:w-full max-xs:[&>*]:flex-1">
        <Field label={t.from} hideLabel>
          <Input type="date" max={MAX_DATE} value={from} onChange={(event) => onPeriod(event.target.value, to)} />
        </Field>
        <Field label={t.to} hideLabel>
          <Input type="date" max={MAX_DATE} value={to} onChange={(event) => onPeriod(from, event.target.value)} />
        </Field>
      </div>
      <Chips
        label={t.anyTime}
        options={[
          { value: '', label: t.anyTime },
          ...PERIODS.map((days) => ({ value: String(days), label: t.days(days) })),
        ]}
        value={quick ? String(quick) : from || to ? 'own' : ''}
        onValue={(days) => onPeriod(days ? daysAgo(Number(days) - 1) : '', '')}
      />
    </div>
  )
}
