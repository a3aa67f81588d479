// Search trends: yesterday's ranking against the day before (spec V216, V244-V247).

import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { seoulDay } from '../../lib/seoul-day'
import { LOGS, type LogType } from './logTerm'

const TOP = 10

/** A term, how often it was searched, and its change of rank (missing: it is new, spec V092). */
export type RankedTerm = components['schemas']['Ranking']['logs'][number]
export type RankChange = 'new' | 'up' | 'down' | 'same'

export const changeOf = ({ diff }: Pick<RankedTerm, 'diff'>): RankChange =>
  diff === undefined || diff === null ? 'new' : diff > 0 ? 'up' : diff < 0 ? 'down' : 'same'

/** Yesterday's ten terms (spec V244, V245). */
export function useRanking(type: LogType = 'SEARCH'): readonly RankedTerm[] {
  const yesterday = seoulDay(-1)
  const { data } = useApiQuery(
    LOGS,
    { query: { type, createdAt: `${yesterday},${yesterday}` }, headers: { limit: String(TOP) } },
    { staleTime: 300_000, retry: false },
  )
  return data?.logs.slice(0, TOP) ?? []
}

/** Yesterday's tags, most clicked first: as many as the server returns (spec V247). */
export function useTags(): readonly RankedTerm[] {
  const { data } = useApiQuery('/api/v1/shop/tag-logs', {}, { staleTime: 300_000, retry: false })
  return data?.tagLogs ?? []
}
