// Whether a row wider than its container can scroll further.
import { type RefObject, useEffect, useState } from 'react'

/** Tolerance in pixels. */
const SLACK = 4

/** Whether `row` can be scrolled left and right; updated on scroll, on resize and when `content` changes. */
export function useScrollEdges(row: RefObject<HTMLElement | null>, content = '') {
  const [ends, setEnds] = useState({ left: false, right: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content changes the scroll width in a row of the same width
  useEffect(() => {
    const list = row.current
    if (!list) return
    const look = () => {
      const left = list.scrollLeft > SLACK
      const right = list.scrollLeft + list.clientWidth < list.scrollWidth - SLACK
      setEnds((old) => (old.left === left && old.right === right ? old : { left, right }))
    }
    list.addEventListener('scroll', look, { passive: true })
    // Also reports the initial size, when the page is laid out anyway.
    const watcher = new ResizeObserver(look)
    watcher.observe(list)
    return () => {
      list.removeEventListener('scroll', look)
      watcher.disconnect()
    }
  }, [row, content])
  return ends
}
