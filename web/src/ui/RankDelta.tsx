// The change of a rank: new, up, down or the same (spec V092, V246).
import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { cn } from '../lib/cn'

export type Change = 'new' | 'up' | 'down' | 'same'

const SAID: Record<Change, string> = { new: '신규 진입', up: '상승', down: '하락', same: '변동 없음' }

export function RankDelta({ change, by, className }: { change: Change; by?: number; className?: string }) {
  const label = `${SAID[change]}${by && change !== 'same' ? ` ${Math.abs(by)}` : ''}`
  return (
    <span
      title={label}
      className={cn(
        'figures inline-flex items-center gap-0.5 font-semibold text-xs',
        { new: 'text-accent', up: 'text-accent', down: 'text-info', same: 'text-ink-3' }[change],
        className,
      )}
    >
      <span className="sr-only">{label}</span>
      <span aria-hidden className="inline-flex items-center">
        {change === 'new' && '신규'}
        {change === 'up' && <ArrowUp className="size-3.5" />}
        {change === 'down' && <ArrowDown className="size-3.5" />}
        {change === 'same' && <Minus className="size-3.5" />}
        {by && (change === 'up' || change === 'down') ? Math.abs(by) : null}
      </span>
    </span>
  )
}
