// Swipes to the left or right, for components that show one picture at a time.
import { type TouchEvent, useRef } from 'react'

const SWIPE_PX = 40

/** Calls `go` with 1 for the next picture, -1 for the previous one. */
export function useSwipe(go: (step: 1 | -1) => void): {
  onTouchStart: (event: TouchEvent) => void
  onTouchEnd: (event: TouchEvent) => void
} {
  const start = useRef<number>(undefined)
  return {
    onTouchStart: (event) => {
      // Two fingers zoom.
      start.current = event.touches.length === 1 ? event.touches[0]?.clientX : undefined
    },
    onTouchEnd: (event) => {
      if (start.current === undefined) return
      const moved = (event.changedTouches[0]?.clientX ?? start.current) - start.current
      start.current = undefined
      if (Math.abs(moved) > SWIPE_PX) go(moved < 0 ? 1 : -1)
    },
  }
}
