// The drawing of a plot. The library is large, so it comes only where something is drawn.
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatMoney } from '../../lib/money'
import type { Point } from './wire'

export type ChartProps = { points: readonly Point[]; shape: 'line' | 'bars' | 'rows' }

const HEIGHT = 260
const ROW_HEIGHT = 28
const INK = 'var(--color-ink-3)'
const short = new Intl.NumberFormat('ko-KR', { notation: 'compact', maximumFractionDigits: 1 })
const axis = { stroke: INK, fontSize: 12, tickLine: false, axisLine: false } as const
const money = (value: unknown) => short.format(Number(value) / 100)

const tip = (
  <Tooltip
    formatter={(value) => [formatMoney(Number(value)), '매출']}
    contentStyle={{
      background: 'var(--color-raised)',
      border: '1px solid var(--color-line)',
      borderRadius: 8,
      color: 'var(--color-ink)',
    }}
    cursor={{ fill: 'var(--color-sunken)' }}
  />
)

export default function Chart({ points, shape }: ChartProps) {
  const data = [...points]
  const grid = (
    <CartesianGrid
      stroke="var(--color-line)"
      strokeDasharray="3 3"
      vertical={shape === 'rows'}
      horizontal={shape !== 'rows'}
    />
  )
  return (
    <ResponsiveContainer width="100%" height={shape === 'rows' ? Math.max(HEIGHT, points.length * ROW_HEIGHT) : HEIGHT}>
      {shape === 'line' ? (
        <LineChart data={data} accessibilityLayer={false}>
          {grid}
          <XAxis dataKey="label" {...axis} minTickGap={24} />
          <YAxis {...axis} width={48} tickFormatter={money} />
          {tip}
          <Line
            type="linear"
            dataKey="sales"
            stroke="var(--color-accent)"
            strokeWidth={2}
            dot={false}
            isAnimationActive={false}
          />
        </LineChart>
      ) : (
        <BarChart data={data} layout={shape === 'rows' ? 'vertical' : 'horizontal'} accessibilityLayer={false}>
          {grid}
          {shape === 'rows' ? (
            <>
              <XAxis type="number" {...axis} tickFormatter={money} />
              <YAxis
                type="category"
                dataKey="label"
                {...axis}
                width={136}
                interval={0}
                tickFormatter={(name: string) => (name.length > 12 ? `${name.slice(0, 11)}…` : name)}
              />
            </>
          ) : (
            <>
              <XAxis dataKey="label" {...axis} />
              <YAxis {...axis} width={48} tickFormatter={money} />
            </>
          )}
          {tip}
          <Bar dataKey="sales" fill="var(--color-accent)" radius={3} maxBarSize={36} isAnimationActive={false} />
        </BarChart>
      )}
    </ResponsiveContainer>
  )
}
