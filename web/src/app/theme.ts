// The colour theme: light, dark or the system's.
import { useSyncExternalStore } from 'react'
import { localItem } from '../lib/storage'

export type Theme = 'system' | 'light' | 'dark'
const wish = localItem('jangbu.theme', (kept): kept is Theme => kept === 'light' || kept === 'dark')
const listeners = new Set<() => void>()
const prefersDark = window.matchMedia?.('(prefers-color-scheme: dark)')

const chosen = (): Theme => wish.read() ?? 'system'

/** Applies the theme; called before the first render and on every change. */
export function applyTheme(): void {
  const theme = chosen()
  document.documentElement.dataset.theme = theme === 'system' ? (prefersDark?.matches ? 'dark' : 'light') : theme
}

prefersDark?.addEventListener('change', applyTheme)

export function setTheme(theme: Theme): void {
  wish.keep(theme)
  applyTheme()
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(listen, chosen)
