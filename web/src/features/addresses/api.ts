// Road addresses by a search term: a road and number, a district, or a postcode.

import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'

export type Address = components['schemas']['Addresses']['addresses'][number]

export const ADDRESS_PAGE = 10
/** Shorter terms would match half the country. */
const SHORTEST = 2

export function useAddresses(searchValue: string, page: number) {
  return useApiQuery(
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
