// Yesterday's most searched terms, one line at a time, beside the desktop search box (spec V031, V248).
import { changeOf, useRanking } from '../../features/search/searchTrends'
import { useSearch } from '../../features/search/useSearch'
import { searchWords } from '../../features/search/words'
import { RankDelta } from '../../ui/RankDelta'
import { RotatingText } from '../../ui/RotatingText'

export default function RankTicker({ className }: { className?: string }) {
  const ranking = useRanking()
  const search = useSearch()
  if (ranking.length === 0) return null
  return (
    <RotatingText
      label={searchWords.rankingLine}
      className={className}
      items={ranking.map((one, i) => ({
        key: one._id,
        content: (
          <button
            type="button"
            onClick={() => search(one._id)}
            className="flex w-full items-center gap-2.5 text-left text-ink-2 text-sm hover:text-ink focus-visible:-outline-offset-2"
          >
            <span className="figures font-extrabold text-accent">{i + 1}</span>
            <span className="truncate">{one._id}</span>
            <RankDelta change={changeOf(one)} by={one.diff ?? undefined} />
          </button>
        ),
      }))}
    />
  )
}
