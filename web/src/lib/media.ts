// Media queries in the specification's terms (V256-V260).
import { useSyncExternalStore } from 'react'

const MOBILE = '(width < 64rem)'

const list = (): MediaQueryList | undefined => window.matchMedia?.(MOBILE)

/** Below 1024 px (spec V260). */
export const isMobile = (): boolean => list()?.matches ?? false

function listen(listener: () => void): () => void {
  const media = list()
  media?.addEventListener('change', listener)
  return () => media?.removeEventListener('change', listener)
}

export const useMobile = (): boolean => useSyncExternalStore(listen, isMobile)

/** Whether the user prefers reduced motion. */
export const wantsStill = (): boolean => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** Scroll behavior of scripts: smooth, or instant with reduced motion. */
export const scrollManner = (): ScrollBehavior => (wantsStill() ? 'auto' : 'smooth')
