// The four kinds of search results, their page sizes, and the address of a search (spec V042-V045, V233-V240).

import { pageIn } from '../../lib/usePage'

export type Mode = 'PRODUCT' | 'STORY' | 'MINISHOP' | 'USER'

export const MODES: readonly { mode: Mode; label: string; summary: number; page: number }[] = [
  { mode: 'PRODUCT', label: '상품', summary: 4, page: 12 },
  { mode: 'STORY', label: '스토리', summary: 4, page: 12 },
  { mode: 'MINISHOP', label: '미니샵', summary: 3, page: 9 },
  { mode: 'USER', label: '닉네임', summary: 5, page: 15 },
]

/** The scope selector: everything, or one kind (spec V045). */
export const SCOPES = [{ value: '', label: '전체글' }, ...MODES.map(({ mode, label }) => ({ value: mode, label }))]

export type Search = { term: string; mode: Mode | undefined; page: number }

export function readSearch(params: URLSearchParams): Search {
  const mode = params.get('mode')
  return {
    term: params.get('searchValue')?.trim() ?? '',
    mode: MODES.find((one) => one.mode === mode)?.mode,
    page: pageIn(params),
  }
}

/** The first page and the summary are omitted from the address. */
export function searchHref(term: string, mode?: Mode | '', page = 1): string {
  const params = new URLSearchParams({ searchValue: term })
  if (mode) params.set('mode', mode)
  if (page > 1) params.set('page', String(page))
  return `/search?${params}`
}

/** No results at all, or none of the selected kind (spec V046, V047). */
export const nothingFound = (counts: Readonly<Record<Mode, number>>, mode: Mode | undefined): boolean =>
  mode ? counts[mode] === 0 : MODES.every((one) => counts[one.mode] === 0)

const LONG = 30
/** The search term shortened for headings. */
export const shortOf = (term: string): string => (term.length > LONG ? `${term.slice(0, LONG)}…` : term)
