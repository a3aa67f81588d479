// The distribution of star ratings.

import { grouped } from '../i18n/number'

export function Histogram({ counts }: { counts: Readonly<Record<1 | 2 | 3 | 4 | 5, number>> }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <ul className="grid gap-1.5">
      {([5, 4, 3, 2, 1] as const).map((stars) => (
        <li key={stars} className="flex items-center gap-3 text-sm">
          <span className="w-8 shrink-0 text-ink-2">{stars}점</span>
          <span aria-hidden className="h-2 flex-1 overflow-hidden rounded-full bg-line">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${total === 0 ? 0 : (counts[stars] / total) * 100}%` }}
            />
          </span>
          <span className="figures w-10 text-right text-ink-3">{grouped(counts[stars])}</span>
        </li>
      ))}
    </ul>
  )
}
