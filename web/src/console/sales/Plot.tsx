// A plot with its numbers: the drawing for who sees it, a table for who wants to read or hear it.
import { lazy, Suspense, useState } from 'react'
import { grouped } from '../../i18n/number'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states'
import { words } from '../words'
import type { ChartProps } from './Chart'

const Chart = lazy(() => import('./Chart'))
const t = words.sales

type PlotProps = {
  title: string
  /** What a row of the table is. */
  of: string
  points: ChartProps['points'] | undefined
  shape: ChartProps['shape']
  error?: unknown
  onRetry: () => void
}

export function Plot({ title, of, points, shape, error, onRetry }: PlotProps) {
  const [asTable, setAsTable] = useState(false)
  const none = points?.every((point) => point.orders === 0)
  return (
    <Card
      title={title}
      className="min-w-0"
      aside={
        <Button size="sm" variant="ghost" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {t.asTable}
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : !points ? (
        <Skeleton className="h-64" />
      ) : none && !asTable ? (
        <EmptyState title={t.none} />
      ) : (
        <>
          {!asTable && (
            <div aria-hidden>
              <Suspense fallback={<Skeleton className="h-64" />}>
                <Chart points={points} shape={shape} />
              </Suspense>
            </div>
          )}
          <div className={asTable ? 'max-h-80 overflow-auto' : 'sr-only'}>
            <Numbers title={title} of={of} points={points} />
          </div>
        </>
      )}
    </Card>
  )
}

const Numbers = ({ title, of, points }: { title: string; of: string; points: ChartProps['points'] }) => (
  <table className="figures w-full border-collapse text-sm">
    <caption className="sr-only">{title}</caption>
    <thead>
      <tr className="border-line border-b text-ink-2">
        <th scope="col" className="py-2 pr-3 text-left font-semibold">
          {of}
        </th>
        {[t.orders, t.quantity, t.sales, t.canceled].map((name) => (
          <th key={name} scope="col" className="py-2 pl-3 text-right font-semibold">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {points.map((point) => (
        <tr key={point.label} className="border-line border-b last:border-0">
          <th scope="row" className="py-2 pr-3 text-left font-medium">
            {point.label}
          </th>
          <td className="py-2 pl-3 text-right">{grouped(point.orders)}</td>
          <td className="py-2 pl-3 text-right">{grouped(point.quantity)}</td>
          <td className="py-2 pl-3 text-right">
            <Money amount={point.sales} />
          </td>
          <td className="py-2 pl-3 text-right">
            <Money amount={point.canceled} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
