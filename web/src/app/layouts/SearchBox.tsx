// The header's search: recent and popular terms on focus, suggestions while typing; only a new, non-empty term is sent (spec V161-V163).
import { Search } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { logSearch } from '../../features/search/logTerm'
import { useSearch } from '../../features/search/useSearch'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { optional } from '../../ui/Optional'
import { useCombobox } from '../../ui/useCombobox'

const SearchPanel = optional(() => import('./SearchPanel'))

type SearchBoxProps = {
  className?: string
  onDone?: () => void
  /** Below the box (a phone's search) or in a layer over the page. */
  panel?: 'below' | 'layer'
}

export function SearchBox({ className, onDone, panel = 'layer' }: SearchBoxProps) {
  const search = useSearch()
  const [params] = useSearchParams()
  const shown = params.get('searchValue') ?? ''
  const [typed, setTyped] = useState<string>()
  const { key } = useLocation()
  /** The page the layer was opened on: any navigation closes it. */
  const [openedAt, setOpenedAt] = useState<string>()
  const looking = panel === 'below' || openedAt === key
  const setLooking = (opens: boolean) => setOpenedAt(opens ? key : undefined)
  const [offers, setOffers] = useState<readonly string[]>([])
  const box = useRef<HTMLFormElement>(null)
  const t = ko.chrome
  const open = looking && offers.length > 0

  const go = (term: string, note?: typeof logSearch) => {
    setTyped(undefined)
    setLooking(false)
    onDone?.()
    search(term, note)
  }
  const combobox = useCombobox({ keys: offers, open, onChoose: (index) => go(offers[index] ?? '') })
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
      onBlur={(event) => !box.current?.contains(event.relatedTarget) && setLooking(false)}
      onKeyDown={(event) => event.key === 'Escape' && setLooking(false)}
    >
      <input
        type="text"
        enterKeyHint="search"
        {...combobox.inputProps}
        aria-label={t.search}
        placeholder={t.searchHint}
        value={typed ?? shown}
        onChange={(event) => {
          setTyped(event.target.value)
          setLooking(true)
          combobox.reset()
        }}
        onFocus={() => setLooking(true)}
        // After Enter the box still has the focus.
        onClick={() => setLooking(true)}
        className="h-11 w-full rounded-full border border-transparent bg-sunken pr-12 pl-5 text-base transition-colors placeholder:text-ink-3 hover:border-line-strong focus:border-ink focus:bg-raised focus:outline-none max-md:text-[1rem]"
      />
      <button
        type="submit"
        aria-label={ko.action.search}
        className="absolute top-0 right-0 flex h-11 w-12 items-center justify-center rounded-full text-ink hover:text-accent"
      >
        <Search aria-hidden className="size-5" />
      </button>
      {looking && (
        <div
          className={
            panel === 'below'
              ? 'mt-6'
              : 'absolute top-full left-0 z-40 mt-2 w-[min(40rem,80vw)] animate-rise rounded-lg border border-line bg-raised px-6 py-5 shadow-pop'
          }
        >
          <SearchPanel
            onGo={go}
            wide={panel === 'layer'}
            typed={typed}
            combobox={combobox}
            offers={offers}
            onOffers={setOffers}
          />
        </div>
      )}
    </form>
  )
}
