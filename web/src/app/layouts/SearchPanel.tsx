// Below the search box: suggestions while typing; otherwise the last five searches and popular
// terms (spec V031, V242, V244-V249).
import { ChevronDown, Clock, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRecents } from '../../features/products/recentlyViewed'
import { logTag } from '../../features/search/logTerm'
import { changeOf, type RankedTerm, useRanking, useTags } from '../../features/search/searchTrends'
import { useSuggestions } from '../../features/search/useSuggestions'
import { searchWords } from '../../features/search/words'
import { cn } from '../../lib/cn'
import { forgetSearch, forgetSearches, recentSearches } from '../../lib/recentSearches'
import { ComboboxList } from '../../ui/ComboboxList'
import { Link } from '../../ui/Link'
import { RankDelta } from '../../ui/RankDelta'
import { RotatingText } from '../../ui/RotatingText'
import type { Combobox } from '../../ui/useCombobox'

const t = searchWords

/** Searches for a term, logged as a searched term unless specified otherwise. */
type Go = (term: string, note?: typeof logTag) => void
type SearchPanelProps = {
  onGo: Go
  wide?: boolean
  typed?: string
  /** Of the search box. */
  combobox: Combobox
  /** The suggestions: loaded here, held by the box, whose arrow keys move through them. */
  offers: readonly string[]
  onOffers: (offers: readonly string[]) => void
}

export default function SearchPanel({ onGo, wide = false, typed = '', combobox, offers, onOffers }: SearchPanelProps) {
  const suggestions = useSuggestions(typed)
  useEffect(() => onOffers(suggestions), [onOffers, suggestions])
  if (offers.length > 0)
    return (
      <ComboboxList
        combobox={combobox}
        label={t.suggestions}
        options={offers}
        keyOf={(term) => term}
        className="-mx-2"
        optionClass="flex items-center gap-2.5 rounded-md px-2 py-2"
      >
        {(term) => (
          <>
            <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
            <span className="truncate">{term}</span>
          </>
        )}
      </ComboboxList>
    )
  return (
    <div className={cn('grid gap-6', wide && 'md:grid-cols-2 md:gap-8')}>
      <Recent onGo={onGo} />
      <Ranking onGo={onGo} wide={wide} />
      <PopularTags onGo={onGo} />
      {!wide && <RecentlyViewed />}
    </div>
  )
}

function Recent({ onGo }: { onGo: (term: string) => void }) {
  const [recent, setRecent] = useState(recentSearches)
  const forget = (term?: string) => {
    if (term === undefined) forgetSearches()
    else forgetSearch(term)
    setRecent(recentSearches())
  }
  return (
    <section aria-label={t.recent}>
      <div className="flex items-center justify-between py-1 text-sm">
        <h2 className="font-bold">{t.recent}</h2>
        {recent.length > 0 && (
          <button type="button" onClick={() => forget()} className="rounded-xs text-ink-3 hover:text-ink">
            {t.forgetAll}
          </button>
        )}
      </div>
      {recent.length === 0 && <p className="py-3 text-ink-3 text-sm">{t.noRecent}</p>}
      <ul>
        {recent.map((term) => (
          <li key={term} className="-mx-2 flex items-center rounded-md hover:bg-sunken">
            <button
              type="button"
              onClick={() => onGo(term)}
              className="flex min-w-0 flex-1 items-center gap-2.5 px-2 py-2 text-left"
            >
              <Clock aria-hidden className="size-4 shrink-0 text-ink-3" />
              <span className="truncate">{term}</span>
            </button>
            <button
              type="button"
              aria-label={t.forget(term)}
              onClick={() => forget(term)}
              className="p-2.5 text-ink-3 hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

type RankingProps = { onGo: (term: string) => void; wide: boolean }

/** Collapsed it is one rotating line, expanded a list. Desktop has room for the list. */
function Ranking({ onGo, wide }: RankingProps) {
  const ranking = useRanking()
  const [open, setOpen] = useState(wide)
  if (ranking.length === 0) return null
  return (
    <section aria-label={t.ranking}>
      <div className="flex items-center gap-3 py-1 text-sm">
        <h2 className="shrink-0 font-bold">{t.ranking}</h2>
        {!open && (
          <RotatingText
            label={t.rankingLine}
            className="min-w-0 flex-1"
            items={ranking.map((one, i) => ({ key: one._id, content: <Place one={one} place={i + 1} onGo={onGo} /> }))}
          />
        )}
        {!wide && (
          <button
            type="button"
            aria-expanded={open}
            aria-label={open ? '순위 접기' : '순위 펼치기'}
            onClick={() => setOpen(!open)}
            className="ml-auto flex size-9 items-center justify-center rounded-full hover:bg-sunken"
          >
            <ChevronDown aria-hidden className={cn('size-5 transition-transform', open && 'rotate-180')} />
          </button>
        )}
      </div>
      {open && (
        <ol className="mt-1 gap-x-6 xs:columns-2 md:columns-1">
          {ranking.map((one, i) => (
            <li key={one._id} className="py-1.5">
              <Place one={one} place={i + 1} onGo={onGo} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Place({ one, place, onGo }: { one: RankedTerm; place: number; onGo: (term: string) => void }) {
  return (
    <button
      type="button"
      onClick={() => onGo(one._id)}
      className="flex w-full items-center gap-3 rounded-xs text-left hover:text-accent"
    >
      <span className={cn('figures w-5 shrink-0 font-extrabold', place <= 3 ? 'text-accent' : 'text-ink-3')}>
        {place}
      </span>
      <span className="min-w-0 flex-1 truncate">{one._id}</span>
      <RankDelta change={changeOf(one)} by={one.diff ?? undefined} />
    </button>
  )
}

/** Yesterday's tags (spec V247). */
function PopularTags({ onGo }: { onGo: Go }) {
  const tags = useTags()
  if (tags.length === 0) return null
  return (
    <section aria-label={t.tags} className="md:col-span-full">
      <h2 className="py-1 font-bold text-sm">{t.tags}</h2>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {tags.map(({ _id }) => (
          <li key={_id}>
            <button
              type="button"
              onClick={() => onGo(_id, logTag)}
              className="min-h-8 rounded-full bg-sunken px-3 text-ink-2 text-sm hover:bg-line hover:text-ink"
            >
              #{_id}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A phone has no floating widget; it shows recently viewed products here. */
function RecentlyViewed() {
  const { recents } = useRecents()
  if (recents.length === 0) return null
  return (
    <section aria-label={t.recentProducts}>
      <h2 className="py-1 font-bold text-sm">{t.recentProducts}</h2>
      <ul className="-mx-6 mt-1 flex gap-2.5 overflow-x-auto px-6">
        {recents.slice(0, 10).map((one) => (
          <li key={one._product} className="w-20 shrink-0">
            <Link to={`/shop/products/${one._product}`} className="block rounded-lg">
              <img
                src={one.thumb}
                alt={one.name}
                width={160}
                height={160}
                loading="lazy"
                className="aspect-square w-full rounded-lg bg-picture object-cover"
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
