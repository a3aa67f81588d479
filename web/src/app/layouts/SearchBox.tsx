// Searching from the header: recent words on focus; a word is sent only when there is one and it is new (spec V161-V163).
import { Clock, Search, X } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from '../../lib/searches'
import { exists } from '../table'

const target = (term: string): string =>
  `${exists('/search') ? '/search' : '/shop/products'}?searchValue=${encodeURIComponent(term)}`

export function SearchBox({ className, onDone }: { className?: string; onDone?: () => void }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const shown = params.get('searchValue') ?? ''
  const [typed, setTyped] = useState<string>()
  const [recent, setRecent] = useState<string[]>()
  const box = useRef<HTMLFormElement>(null)
  const listId = useId()
  const t = ko.chrome

  const go = (raw: string) => {
    const term = raw.trim()
    setTyped(undefined)
    setRecent(undefined)
    onDone?.()
    const here = `${pathname}?searchValue=${encodeURIComponent(term)}`
    if (term === '' || here === target(term)) return
    rememberSearch(term)
    void navigate(target(term))
  }
  const forget = (term?: string) => {
    if (term === undefined) forgetSearches()
    else forgetSearch(term)
    setRecent(recentSearches())
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to older screen readers
    <form
      ref={box}
      role="search"
      className={cn('relative', className)}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        go(typed ?? shown)
      }}
      onBlur={(event) => !box.current?.contains(event.relatedTarget) && setRecent(undefined)}
      onKeyDown={(event) => event.key === 'Escape' && setRecent(undefined)}
    >
      <input
        type="search"
        aria-label={t.search}
        placeholder={t.searchHint}
        aria-controls={recent ? listId : undefined}
        value={typed ?? shown}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={() => setRecent(recentSearches())}
        className="h-11 w-full rounded-full border border-transparent bg-sunken pr-12 pl-5 text-base transition-colors placeholder:text-ink-3 hover:border-line-strong focus:border-ink focus:bg-raised focus:outline-none max-md:text-[1rem] [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="submit"
        aria-label={ko.action.search}
        className="absolute inset-y-0 right-0 flex w-12 items-center justify-center rounded-full text-ink hover:text-accent"
      >
        <Search aria-hidden className="size-5" />
      </button>
      {recent && (
        <div
          id={listId}
          className="absolute inset-x-0 top-full z-40 mt-2 animate-rise rounded-lg border border-line bg-raised p-2 shadow-pop"
        >
          <div className="flex items-center justify-between px-3 py-1.5 text-sm">
            <span className="font-semibold">{t.recent}</span>
            {recent.length > 0 && (
              <button type="button" onClick={() => forget()} className="text-ink-3 hover:text-ink">
                {t.forgetAll}
              </button>
            )}
          </div>
          {recent.length === 0 && <p className="px-3 py-3 text-ink-3 text-sm">{t.noRecent}</p>}
          <ul>
            {recent.map((term) => (
              <li key={term} className="flex items-center rounded-md hover:bg-sunken">
                <button
                  type="button"
                  onClick={() => go(term)}
                  className="flex min-w-0 flex-1 items-center gap-2.5 px-3 py-2 text-left"
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
        </div>
      )}
    </form>
  )
}
