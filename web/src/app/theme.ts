// Light, dark, or what the device says.
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'
const KEY = 'jangbu.theme'
const listeners = new Set<() => void>()
const prefersDark = window.matchMedia?.('(prefers-color-scheme: dark)')

function chosen(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Puts the theme on the page; called once before the first picture and on every change. */
export function applyTheme(): void {
  const theme = chosen()
  document.documentElement.dataset.theme = theme === 'system' ? (prefersDark?.matches ? 'dark' : 'light') : theme
}

prefersDark?.addEventListener('change', applyTheme)

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(listen, chosen)
