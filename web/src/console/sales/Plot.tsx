// A plot with its numbers: the drawing for who sees it, a table for who wants to read or hear it.
import { lazy, Suspense, useState } from 'react'
import { grouped } from '../../i18n/number'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states'
import { Figures } from '../kit/Figures'
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
  <Figures
    caption={title}
    of={of}
    columns={[t.orders, t.quantity, t.sales, t.canceled]}
    rows={points.map(({ label, orders, quantity, sales, canceled }) => ({
      name: label,
      figures: [
        grouped(orders),
        grouped(quantity),
        <Money key="sales" amount={sales} />,
        <Money key="canceled" amount={canceled} />,
      ],
    }))}
  />
)
