// Searches the shop for a term, the same for every source: the box, recent and ranked terms, tags, suggestions.
import { useLocation, useNavigate } from 'react-router'
import { rememberSearch } from '../../lib/recentSearches'
import { logSearch } from './logTerm'

const RESULTS = '/search'

/** Opens the results of a term and logs it; does nothing for an empty term, or the one whose results are open (spec V161-V163). */
export function useSearch(): (term: string, note?: typeof logSearch) => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (raw, note = logSearch) => {
    const term = raw.trim()
    const open = pathname === RESULTS ? new URLSearchParams(search).get('searchValue')?.trim() : undefined
    if (term === '' || term === open) return
    rememberSearch(term)
    void note(term)
    void navigate(`${RESULTS}?searchValue=${encodeURIComponent(term)}`)
  }
}
