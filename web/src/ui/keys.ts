// The keys of a page: what understands one says so while it stands there. The help (`?`) tells those and no others, and a press
// reaches them wherever on the page the reader is.
import { useEffect, useRef } from 'react'
import { create } from 'zustand'

/** What keys a part of the page understands. */
export type PageKeys = {
  /** `/`: goes to the words to search for. */
  search?: () => void
  /** `j`, `k`: goes to the row whose turn it is; there the arrows and the same letters go on. */
  move?: () => void
  /** `Enter` opens the row one has gone to. */
  open?: boolean
  /** `x` or the space bar picks it. */
  select?: boolean
  /** `Ctrl+S`. */
  save?: () => void
  /** Can the reader see it now? Missing: always. */
  seen?: () => boolean
}

/** Who offers keys now, in the order they came. */
const useOffers = create<readonly { readonly current: PageKeys }[]>(() => [])

/** Says which keys this part of the page understands while it is there. */
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

/** The keys that work on the page as it stands. */
export function pageKeys(): PageKeys {
  const seen = useOffers
    .getState()
    .map(({ current }) => current)
    .filter((one) => one.seen?.() ?? true)
  const first = <K extends keyof PageKeys>(key: K): PageKeys[K] => seen.find((one) => one[key])?.[key]
  const rows = seen.find((one) => one.move)
  return { search: first('search'), move: rows?.move, open: rows?.open, select: rows?.select, save: first('save') }
}

/** What a Korean keyboard writes with the letters that are keys. */
const HANGUL: Record<string, string> = { j: 'ㅓ', k: 'ㅏ', s: 'ㄴ', x: 'ㅌ' }

/** Was this letter pressed, whatever the keyboard writes with it? */
export const isLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, letter: string): boolean =>
  key.toLowerCase() === letter || key === HANGUL[letter] || (key === 'Process' && code === `Key${letter.toUpperCase()}`)

/** Kinds of input one does not write into. */
const UNWRITTEN = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color']

/** Does what is typed here go into a field? */
export const isTyping = (target: EventTarget | null): boolean => {
  const field = target instanceof HTMLElement ? target.closest('input,textarea,select,[contenteditable="true"]') : null
  return field !== null && !(field instanceof HTMLInputElement && UNWRITTEN.includes(field.type))
}
