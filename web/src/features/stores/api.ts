// Stores of sellers: places to see and try their products.
import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOAST_ON_ERROR } from '../../api/queryClient'
import type { components, operations } from '../../api/schema.gen'

export type Store = components['schemas']['StoreView']
type ListStoresQuery = NonNullable<operations['listStores']['parameters']['query']>

const CALM_MS = 300_000

/** A page of public stores, by default the highest index first (spec V215, V268). Failed searches show a toast (V217). */
export const useStores = (query: ListStoresQuery, { page = 1, size }: { page?: number; size: number }) =>
  useApiQuery(
    '/api/v1/shop/stores',
    { query, headers: paged(page, size) },
    {
      staleTime: CALM_MS,
      placeholderData: keepPreviousData,
      ...(query.searchValue !== undefined && { meta: TOAST_ON_ERROR }),
    },
  )
