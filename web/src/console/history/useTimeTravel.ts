// The history position that a page shows, from the address; without one the current state.
import { useSearchParams } from 'react-router'
import type { HistoryEvent } from '../types'

/** `events` oldest first. `at` is the event's index, `events.length` is now; `position` is undefined now. */
export function useTimeTravel(events: readonly HistoryEvent[]) {
  const [params, setParams] = useSearchParams()
  const requested = Number(params.get('position')) || undefined
  const found = requested === undefined ? -1 : events.findLastIndex((event) => event.position <= requested)
  const at = requested === undefined || found < 0 ? events.length : found
  const travel = (index: number) => {
    const position = events[index]?.position
    setParams(position === undefined ? {} : { position: String(position) }, {
      replace: true,
      preventScrollReset: true,
    })
  }
  const isPast = requested !== undefined
  return { at, isPast, position: isPast ? (events[at]?.position ?? requested) : undefined, travel }
}
