// Searching the shop for a term, the same from every place that offers one: the box, recent and ranked terms, tags, suggestions.
import { useLocation, useNavigate } from 'react-router'
import { rememberSearch } from '../../lib/recentSearches'
import { logSearch } from './logTerm'

const RESULTS = '/search'

/** Opens the results of a term and counts it; nothing happens without a term, or with the one whose results are open (spec V161-V163). */
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
