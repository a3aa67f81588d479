// The lag of a projection while the page was open, as a small line. The number beside it is equivalent.
const WIDTH = 120
const HEIGHT = 28

export function LagSparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null
  const most = Math.max(1, ...values)
  const x = (i: number) => (i / (values.length - 1)) * WIDTH
  const y = (value: number) => HEIGHT - 1 - (value / most) * (HEIGHT - 2)
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-7 w-30 text-accent">
      <polyline points={points} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
