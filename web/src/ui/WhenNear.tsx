// Mounts a section once its place comes near the screen, so that what few people scroll to is not asked for.
import { type ReactNode, useEffect, useRef, useState } from 'react'

const NEAR = '600px'

export function WhenNear({ children }: { children: ReactNode }) {
  const [isNear, setNear] = useState(!('IntersectionObserver' in window))
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNear || !place.current) return
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return isNear ? children : <div ref={place} aria-hidden className="h-96" />
}
