// The drawing of a plot. The library is large, so it comes only where something is drawn.
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { grouped } from '../../i18n/number'
import { formatMoney } from '../../lib/money'
import type { Unit } from './wire'

export type Point = { label: string; value: number }

export type ChartProps = {
  points: readonly Point[]
  shape: 'line' | 'bars' | 'rows'
  /** What the values are called, and what they are. */
  name: string
  unit: Unit
}

const HEIGHT = 260
const ROW_HEIGHT = 28
const LETTERS = 12
const LETTER_WIDTH = 11
const INK = 'var(--color-ink-3)'
const short = new Intl.NumberFormat('ko-KR', { notation: 'compact', maximumFractionDigits: 1 })
const axis = { stroke: INK, fontSize: 12, tickLine: false, axisLine: false } as const
const SHORT: Record<Unit, (value: unknown) => string> = {
  amount: (value) => short.format(Number(value) / 100),
  pieces: (value) => short.format(Number(value)),
}
const WHOLE: Record<Unit, (value: number) => string> = { amount: formatMoney, pieces: grouped }

/** As wide as the longest name, up to so many letters. */
const widthOf = (points: readonly Point[]): number =>
  Math.min(LETTERS, Math.max(...points.map(({ label }) => label.length))) * LETTER_WIDTH + 16

export default function Chart({ points, shape, name, unit }: ChartProps) {
  const data = [...points]
  const values = { ...axis, tickFormatter: SHORT[unit], allowDecimals: unit === 'amount' }
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
      formatter={(value) => [WHOLE[unit](Number(value)), name]}
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
    <ResponsiveContainer width="100%" height={shape === 'rows' ? Math.max(HEIGHT, points.length * ROW_HEIGHT) : HEIGHT}>
      {shape === 'line' ? (
        <LineChart data={data} accessibilityLayer={false}>
          {grid}
          <XAxis dataKey="label" {...axis} minTickGap={24} />
          <YAxis {...values} width={48} />
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
        <BarChart data={data} layout={shape === 'rows' ? 'vertical' : 'horizontal'} accessibilityLayer={false}>
          {grid}
          {shape === 'rows' ? (
            <>
              <XAxis type="number" {...values} />
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
              <YAxis {...values} width={48} />
            </>
          )}
          {tip}
          <Bar dataKey="value" fill="var(--color-accent)" radius={3} maxBarSize={36} isAnimationActive={false} />
        </BarChart>
      )}
    </ResponsiveContainer>
  )
}
