// Keyboard shortcuts of a page: components register theirs while mounted. The help (`?`) lists exactly the registered ones, and they
// work wherever the focus is on the page.
import { useEffect, useRef } from 'react'
import { create } from 'zustand'

/** Shortcuts that a part of the page supports. */
export type PageKeys = {
  /** `/`: focuses the search box. */
  search?: () => void
  /** `j`, `k`: focuses the current row; from there the arrow keys and the same letters move on. */
  move?: () => void
  /** `Enter` opens the focused row. */
  open?: boolean
  /** `x` or the space bar selects it. */
  select?: boolean
  /** `Ctrl+S`. */
  save?: () => void
  /** Whether it is currently visible; default: always. */
  seen?: () => boolean
}

/** Registered shortcuts, in order of registration. */
const useOffers = create<readonly { readonly current: PageKeys }[]>(() => [])

/** Registers the shortcuts of this part of the page while it is mounted. */
export function usePageKeys(keys: PageKeys): void {
  const offer = useRef(keys)
  useEffect(() => {
    offer.current = keys
  })
  useEffect(() => {
    useOffers.setState((now) => [...now, offer], true)
    return () => useOffers.setState((now) => now.filter((one) => one !== offer), true)
  }, [])
}

/** The shortcuts that currently work on the page. */
export function pageKeys(): PageKeys {
  const seen = useOffers
    .getState()
    .map(({ current }) => current)
    .filter((one) => one.seen?.() ?? true)
  const first = <K extends keyof PageKeys>(key: K): PageKeys[K] => seen.find((one) => one[key])?.[key]
  const rows = seen.find((one) => one.move)
  return { search: first('search'), move: rows?.move, open: rows?.open, select: rows?.select, save: first('save') }
}

/** Characters of a Korean keyboard for the shortcut letters. */
const HANGUL: Record<string, string> = { j: 'ㅓ', k: 'ㅏ', s: 'ㄴ', x: 'ㅌ' }

/** Whether this letter's key was pressed, in any keyboard layout. */
export const isLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, letter: string): boolean =>
  key.toLowerCase() === letter || key === HANGUL[letter] || (key === 'Process' && code === `Key${letter.toUpperCase()}`)

/** Input types without text. */
const UNWRITTEN = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color']

/** Whether typing here goes into a field. */
export const isTyping = (target: EventTarget | null): boolean => {
  const field = target instanceof HTMLElement ? target.closest('input,textarea,select,[contenteditable="true"]') : null
  return field !== null && !(field instanceof HTMLInputElement && UNWRITTEN.includes(field.type))
}
