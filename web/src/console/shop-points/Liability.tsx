// What the shop owes its members in points as of a day, and when it expires.
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiQuery } from '../../api/query'
import { cn } from '../../lib/cn'
import { seoulDay } from '../../lib/seoul-day'
import { date, MAX_DATE } from '../../lib/validators'
import { Card } from '../../ui/Card'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { Money } from '../../ui/Money'
import { ErrorState } from '../../ui/states'
import type { Liability as Figures } from '../benefits/types'
import { type Figure, Plot } from '../sales/Plot'
import { bulkWords } from './words'

const t = bulkWords.liability

type Month = { label: string; expires: number }
const EXPIRES: Figure<Month> = { name: t.expires, unit: 'amount', of: ({ expires }) => expires }

export default function Liability() {
  const [day, setDay] = useState(() => seoulDay(0))
  const fault = date(day)
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    '/api/console/shop/points/liability',
    { query: { at: day } },
    { enabled: fault === undefined, placeholderData: keepPreviousData },
  )
  return (
    <div className="grid gap-5">
      <Field label={t.at} error={fault} className="max-w-48">
        <Input type="date" max={MAX_DATE} value={day} onChange={(event) => setDay(event.target.value)} />
      </Field>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy={isPlaceholderData} className={cn('grid gap-5', isPlaceholderData && 'opacity-50')}>
          <Sums figures={data} />
          <Plot
            title={t.byMonth}
            of={t.month}
            shape="bars"
            points={data?.byMonth.map(({ month, expires }) => ({ label: month.replace('-', '. '), expires }))}
            figures={[EXPIRES]}
            drawn={EXPIRES}
            none={t.none}
            onRetry={() => void refetch()}
          />
        </div>
      )}
    </div>
  )
}

const SUMS = ['left', 'granted', 'spent', 'expired', 'taken'] as const

const Sums = ({ figures }: { figures: Figures | undefined }) => (
  <Card>
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-5">
      {SUMS.map((name) => (
        <div key={name}>
          <dt className="text-ink-2 text-sm">{t[name]}</dt>
          <dd className="figures font-bold text-xl">{figures ? <Money amount={figures[name]} /> : '·'}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-4 text-ink-3 text-sm">{figures && figures.at > seoulDay(0) ? t.future : t.how}</p>
  </Card>
)
