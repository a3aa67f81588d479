// A slider over the history: each stop is an event, the right end is now.
import { ChevronLeft, ChevronRight, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDate } from '../../lib/date'
import { Button, IconButton } from '../../ui/Button'
import { Slider } from '../../ui/Slider'
import type { HistoryEvent } from '../types'
import { timeTravelWords } from './timeTravelWords'

const t = timeTravelWords

/** Maximum time the page may show another position before the slider follows it. */
const ON_ITS_WAY_MS = 1_000

type TimeSliderProps = {
  /** Oldest first. */
  events: readonly HistoryEvent[]
  /** Index of the displayed event; `events.length` is now. */
  at: number
  onAt: (index: number) => void
}

export function TimeSlider({ events, at, onAt }: TimeSliderProps) {
  // While dragging only the label changes; the server is called on release.
  const [dragged, setDragged] = useState(at)
  /** The requested position until the page shows it: the page may first report the position before it. */
  const wished = useRef<number>(undefined)
  useEffect(() => {
    const follow = () => {
      wished.current = undefined
      setDragged(at)
    }
    if (wished.current === undefined || wished.current === at) return follow()
    const late = setTimeout(follow, ON_ITS_WAY_MS)
    return () => clearTimeout(late)
  }, [at])
  const travel = (index: number) => {
    wished.current = index === at ? undefined : index
    onAt(index)
  }
  const now = events.length
  const nameOf = (index: number): string => {
    const event = events[index]
    return event ? `${event.title}, ${formatDate(event.at, 'second')}` : t.nowShort
  }
  const shown = events[dragged]
  return (
    <div>
      <div className="flex items-center gap-3">
        <IconButton label={t.earlier} size="sm" disabled={at === 0} onClick={() => onAt(at - 1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <Slider
          className="flex-1"
          labels={[t.slider]}
          valueTexts={[nameOf(dragged)]}
          values={[dragged]}
          min={0}
          max={now}
          onValues={([value = now]) => setDragged(value)}
          onSettled={([value = now]) => travel(value)}
        />
        <IconButton label={t.later} size="sm" disabled={at === now} onClick={() => onAt(at + 1)}>
          <ChevronRight aria-hidden />
        </IconButton>
        <Button variant="outline" size="sm" disabled={at === now} onClick={() => onAt(now)}>
          <RotateCcw aria-hidden />
          {t.now}
        </Button>
      </div>
      <p aria-live="polite" className="mt-2 text-sm">
        {shown ? (
          <>
            <span className="figures text-ink-3">
              {dragged + 1}/{events.length}
            </span>{' '}
            <strong>{shown.title}</strong> <span className="figures text-ink-2">{formatDate(shown.at, 'second')}</span>
          </>
        ) : (
          <strong>{t.nowShort}</strong>
        )}
      </p>
    </div>
  )
}
