// The page of a list, stored in the address.
import { useLocation, useSearchParams } from 'react-router'

/** The page in an address; the first by default. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The current page, and this address with another one. */
export function usePage(): { page: number; hrefOf: (page: number) => string } {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  return {
    page: pageIn(params),
    hrefOf: (page) => {
      const next = new URLSearchParams(params)
      next.set('page', String(page))
      return `${pathname}?${next}`
    },
  }
}
