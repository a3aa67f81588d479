// The chart of a plot. The chart library is large, so it is loaded only where a chart is shown.
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

export type Point = { label: string; value: number }

export type ChartProps = {
  points: readonly Point[]
  shape: 'line' | 'bars' | 'rows'
  /** Name of the values. */
  name: string
  /** Formats a value in full, and short for an axis. */
  told: (value: number) => string
  toldShort: (value: number) => string
  /** Whether values are integers. */
  whole: boolean
  /** In pixels. */
  height: number
}

const LETTERS = 12
const LETTER_WIDTH = 11
const INK = 'var(--color-ink-3)'
const axis = { stroke: INK, fontSize: 12, tickLine: false, axisLine: false } as const
/** Without room for all, labels are omitted evenly, keeping the first. */
const even = { interval: 'equidistantPreserveStart', minTickGap: 12 } as const
const VALUES_WIDTH = 60
/** Room for half of the last label of the x axis. */
const MARGIN = { top: 5, right: 28, bottom: 5, left: 0 }

/** As wide as the longest label, up to a limit. */
const widthOf = (points: readonly Point[]): number =>
  Math.min(LETTERS, Math.max(...points.map(({ label }) => label.length))) * LETTER_WIDTH + 16

export default function Chart({ points, shape, name, told, toldShort, whole, height }: ChartProps) {
  const data = [...points]
  const values = { ...axis, tickFormatter: toldShort, allowDecimals: !whole }
  const grid = (
    <CartesianGrid
      stroke="var(--color-line)"
      strokeDasharray="3 3"
      vertical={shape === 'rows'}
      horizontal={shape !== 'rows'}
    />
  )
  const tip = (
    <Tooltip
      formatter={(value) => [told(Number(value)), name]}
      contentStyle={{
        background: 'var(--color-raised)',
        border: '1px solid var(--color-line)',
        borderRadius: 8,
        color: 'var(--color-ink)',
      }}
      cursor={{ fill: 'var(--color-sunken)' }}
    />
  )
  return (
    <ResponsiveContainer width="100%" height={height}>
      {shape === 'line' ? (
        <LineChart data={data} margin={MARGIN} accessibilityLayer={false}>
          {grid}
          <XAxis dataKey="label" {...axis} {...even} />
          <YAxis {...values} width={VALUES_WIDTH} />
          {tip}
          <Line
            type="linear"
            dataKey="value"
            stroke="var(--color-accent)"
            strokeWidth={2}
            dot={false}
            isAnimationActive={false}
          />
        </LineChart>
      ) : (
        <BarChart
          data={data}
          layout={shape === 'rows' ? 'vertical' : 'horizontal'}
          margin={MARGIN}
          accessibilityLayer={false}
        >
          {grid}
          {shape === 'rows' ? (
            <>
              <XAxis type="number" {...values} {...even} tickCount={4} />
              <YAxis
                type="category"
                dataKey="label"
                {...axis}
                width={widthOf(points)}
                interval={0}
                tickFormatter={(text: string) => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text)}
              />
            </>
          ) : (
            <>
              <XAxis dataKey="label" {...axis} />
              <YAxis {...values} width={VALUES_WIDTH} />
            </>
          )}
          {tip}
          <Bar dataKey="value" fill="var(--color-accent)" radius={3} maxBarSize={36} isAnimationActive={false} />
        </BarChart>
      )}
    </ResponsiveContainer>
  )
}
