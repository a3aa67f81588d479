// What a layer over the page does to gestures: back closes it, and the second press of a double one does not reach what lay under it.
import { useEffect, useEffectEvent } from 'react'

type Watcher = { onclose: (() => void) | null; destroy: () => void }

declare global {
  interface Window {
    CloseWatcher?: new () => Watcher
  }
}

/** A second press comes within this time of the first. */
const DOUBLE_MS = 500

/** The press after the one that closed a layer would fall on what is there now. */
function dropSecondPress(): void {
  const closed = performance.now()
  const drop = (event: MouseEvent) => {
    if (event.detail < 2 || performance.now() - closed > DOUBLE_MS) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true, once: true })
}

/** A phone's back gesture closes the layer instead of leaving the page, in browsers that know how (CloseWatcher). */
export function useLayer(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!open || !window.CloseWatcher) return
    const watcher = new window.CloseWatcher()
    watcher.onclose = () => onBack()
    return () => watcher.destroy()
  }, [open])
  useEffect(() => (open ? dropSecondPress : undefined), [open])
}
