// Road addresses by a search term: a road and number, a district, or a postcode.
import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { Summary } from '../../api/types'

export type Address = { postcode: string; address1: string; lot?: string | null }

export const ADDRESS_PAGE = 10
/** Shorter words would find half the country. */
const SHORTEST = 2

export function useAddresses(searchValue: string, page: number) {
  return useApiQuery<{ summary: Summary; addresses: Address[] }>(
    '/api/v1/addresses',
    { query: { searchValue }, headers: paged(page, ADDRESS_PAGE) },
    {
      enabled: searchValue.length >= SHORTEST,
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
  )
}
