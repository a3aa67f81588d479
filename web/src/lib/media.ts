// How wide the window is, in the specification's terms (V256-V260).
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

/** Does the reader want no motion? */
export const wantsStill = (): boolean => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** How a script scrolls: gently, or at once for who wants no motion. */
export const scrollManner = (): ScrollBehavior => (wantsStill() ? 'auto' : 'smooth')
