// 찜: a heart that toggles. Over a picture it has its own background.
import { Heart } from 'lucide-react'
import { cn } from '../lib/cn'
import { once } from './ignoreDoubleClick'

type HeartButtonProps = {
  on: boolean
  /** Name of the liked item, for screen readers. */
  label: string
  onToggle: () => void
  look?: 'picture' | 'box'
  size?: 'sm' | 'md'
  className?: string
}

export function HeartButton({ on, label, onToggle, look = 'picture', size = 'md', className }: HeartButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={on}
      title={label}
      onClick={once(onToggle)}
      className={cn(
        'flex shrink-0 items-center justify-center transition-colors active:scale-90',
        look === 'box'
          ? 'size-13 rounded-md border border-line-strong bg-raised hover:border-ink'
          : 'rounded-full bg-picture-paper/80 text-picture-ink backdrop-blur hover:bg-picture-paper',
        look === 'picture' && (size === 'sm' ? 'size-9' : 'size-11'),
        className,
      )}
    >
      <Heart
        aria-hidden
        className={cn(
          look === 'picture' && size === 'sm' ? 'size-4.5' : 'size-5.5',
          'stroke-[1.8] transition-colors',
          on && (look === 'picture' ? 'fill-picture-accent text-picture-accent' : 'fill-accent text-accent'),
        )}
      />
    </button>
  )
}
