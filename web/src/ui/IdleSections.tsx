// Mounts sections below the fold one after another when the browser is idle.
import { Children, type ReactNode, startTransition, useEffect, useState } from 'react'

const PATIENCE_MS = 300

function whenIdle(what: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(what, 0)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(what, { timeout: PATIENCE_MS })
  return () => cancelIdleCallback(handle)
}

/** Scroll restoration needs the whole page at once. */
let wholeAtOnce = performance.getEntriesByType?.('navigation').some((entry) => {
  return (entry as PerformanceNavigationTiming).type !== 'navigate'
})

export function IdleSections({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children)
  const [shown, setShown] = useState(wholeAtOnce ? parts.length : 0)
  useEffect(() => {
    if (shown < parts.length) return whenIdle(() => startTransition(() => setShown(shown + 1)))
    wholeAtOnce = true
  }, [shown, parts.length])
  return (
    <>
      {parts.slice(0, shown)}
      {/* Reserves the space, so that the footer does not move. */}
      {shown < parts.length && <div aria-hidden aria-busy className="h-[200vh]" />}
    </>
  )
}
