// A phone's back gesture closes what lies over the page instead of leaving the page, in browsers that know how (CloseWatcher).
import { useEffect, useEffectEvent } from 'react'

type Watcher = { onclose: (() => void) | null; destroy: () => void }

declare global {
  interface Window {
    CloseWatcher?: new () => Watcher
  }
}

export function useBackCloses(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!open || !window.CloseWatcher) return
    const watcher = new window.CloseWatcher()
    watcher.onclose = () => onBack()
    return () => watcher.destroy()
  }, [open])
}
