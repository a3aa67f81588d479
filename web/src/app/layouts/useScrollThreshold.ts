// Scroll thresholds as fractions of the window's height: past a quarter the side navigation appears (spec V082, V083), past half the page
// counts as scrolled (V084). Resizes are throttled to one per 66 ms (V262).
import { useEffect, useState } from 'react'

export const RESIZE_MS = 66

export type ScrollThresholds = { quarter: boolean; half: boolean }

export const scrollThresholds = (y: number, height: number): ScrollThresholds => ({
  quarter: y > height / 4,
  half: y > height / 2,
})

export function useScrollThreshold(): ScrollThresholds {
  const [now, setNow] = useState<ScrollThresholds>({ quarter: false, half: false })
  useEffect(() => {
    const look = () => {
      const next = scrollThresholds(window.scrollY, window.innerHeight)
      setNow((old) => (old.quarter === next.quarter && old.half === next.half ? old : next))
    }
    let waiting: ReturnType<typeof setTimeout> | undefined
    const resized = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        look()
      }, RESIZE_MS)
    }
    // On the next animation frame, which computes the layout anyway.
    const first = requestAnimationFrame(look)
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', resized)
    return () => {
      clearTimeout(waiting)
      cancelAnimationFrame(first)
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', resized)
    }
  }, [])
  return now
}
