// The state of a list, stored in the address: page, sort, search text.
import type { UseQueryResult } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Sort } from '../ui/DataTable'

export const PAGE_SIZE = 20

/** Parses `-createdAt` into a column and a direction, and formats it back. */
const sortOf = (text: string | null): Sort | undefined =>
  text ? { id: text.replace(/^-/, ''), desc: text.startsWith('-') } : undefined
const sortText = (sort: Sort | undefined): string | undefined => sort && `${sort.desc ? '-' : ''}${sort.id}`

type WithSummary = { summary: { totalCount: number } }
type Read<Answer> = Pick<UseQueryResult<Answer>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'>

export function useListState() {
  const [params, setParams] = useSearchParams()
  /** Sets query parameters; any change except paging returns to the first page. */
  const set = (part: Record<string, string | undefined>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (!('page' in part)) next.delete('page')
        for (const [name, value] of Object.entries(part)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { preventScrollReset: true },
    )
  const page = Math.max(1, Number(params.get('page')) || 1)
  const onPage = (to: number) => set({ page: to === 1 ? undefined : String(to) })
  return {
    params,
    page,
    sort: sortOf(params.get('sort')),
    sortText: params.get('sort') ?? undefined,
    search: params.get('q') ?? '',
    onPage,
    onSort: (sort: Sort | undefined) => set({ sort: sortText(sort) }),
    set,
    /** Props of a table for the loaded page. */
    shown: <Answer extends WithSummary, Row>(read: Read<Answer>, rows: (answer: Answer) => readonly Row[]) => ({
      rows: read.data && rows(read.data),
      total: read.data?.summary.totalCount ?? 0,
      page,
      size: PAGE_SIZE,
      onPage,
      busy: read.isPlaceholderData,
      // Loaded rows stay visible when a refetch fails.
      error: read.data ? null : read.error,
      onRetry: () => void read.refetch(),
    }),
  }
}

const DAY_MS = 86_400_000
const seoulDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul' })

/** The day `days` before today in Seoul, `YYYY-MM-DD`. */
export const daysAgo = (days: number, now: number = Date.now()): string => seoulDay.format(now - days * DAY_MS)
