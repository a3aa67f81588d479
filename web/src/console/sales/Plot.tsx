// A plot with its numbers: a chart for sighted users, a table for reading and for screen readers.
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { missing, optional } from '../../ui/Optional'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { NumbersTable } from '../crud/NumbersTable'
import type { ChartProps } from './Chart'
import { formatCount, formatShort } from './format'
import type { Unit } from './types'
import { salesWords } from './words'

/** Hidden from screen readers, which use the table. */
const load = async () => {
  const { default: Chart } = await import('./Chart')
  return {
    default: (props: ChartProps) => (
      <div aria-hidden>
        <Chart {...props} />
      </div>
    ),
  }
}
// Loaded along with the numbers, not after them. After a failure it is requested again on render.
load().catch(() => undefined)
const Chart = optional(load, { waiting: ({ height }) => <ChartSkeleton height={height} />, instead: missing })

const HEIGHT = 260
const ROW_HEIGHT = 28
/** In pixels, the same for the chart and its placeholder. */
const heightOf = (shape: ChartProps['shape'], count: number): number =>
  shape === 'rows' ? Math.max(HEIGHT, count * ROW_HEIGHT) : HEIGHT

const ChartSkeleton = ({ height }: { height: number }) => (
  <div style={{ height }}>
    <Loading className="h-full">
      <Skeleton className="h-full" />
    </Loading>
  </div>
)

/** A number of each point: its name, unit and value. */
export type Figure<P> = { name: string; unit: Unit; of: (point: P) => number }

type PlotProps<P> = {
  title: string
  /** Header of the table's first column. */
  of: string
  points: readonly P[] | undefined
  shape: ChartProps['shape']
  /** The table's columns. */
  figures: readonly Figure<P>[]
  /** The figure shown in the chart. */
  drawn: Figure<P>
  /** Text shown if all points are zero. */
  none: string
  error?: unknown
  onRetry: () => void
}

export function Plot<P extends { label: string }>(props: PlotProps<P>) {
  const { title, of, points, shape, figures, drawn, none, error, onRetry } = props
  const [asTable, setAsTable] = useState(false)
  const height = heightOf(shape, points?.length ?? 0)
  const isEmpty = points?.every((point) => figures.every((figure) => figure.of(point) === 0))
  return (
    <Card
      title={title}
      className="min-w-0"
      headerAction={
        <Button size="sm" variant="ghost" className="-mr-3" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {salesWords.asTable}
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : !points ? (
        <ChartSkeleton height={height} />
      ) : isEmpty && !asTable ? (
        <EmptyState title={none} />
      ) : (
        <>
          {!asTable && (
            <Chart
              points={points.map((point) => ({ label: point.label, value: drawn.of(point) }))}
              shape={shape}
              name={drawn.name}
              told={formatCount[drawn.unit]}
              toldShort={formatShort[drawn.unit]}
              whole={drawn.unit !== 'amount'}
              height={height}
            />
          )}
          <div className={asTable ? 'max-h-80 overflow-auto' : 'sr-only'}>
            <PointsTable title={title} of={of} points={points} figures={figures} />
          </div>
        </>
      )}
    </Card>
  )
}

type PointsTableProps<P> = Pick<PlotProps<P>, 'title' | 'of' | 'figures'> & { points: readonly P[] }

const PointsTable = <P extends { label: string }>({ title, of, points, figures }: PointsTableProps<P>) => (
  <NumbersTable
    caption={title}
    of={of}
    columns={figures.map(({ name }) => name)}
    rows={points.map((point) => ({
      name: point.label,
      figures: figures.map((figure) =>
        figure.unit === 'amount' ? (
          <Money key={figure.name} amount={figure.of(point)} />
        ) : (
          formatCount[figure.unit](figure.of(point))
        ),
      ),
    }))}
  />
)
