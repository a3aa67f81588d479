// Public search of members by nickname, which returns nothing else about them.
import { keepPreviousData } from '@tanstack/react-query'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { TOAST_ON_ERROR } from '../../api/queryClient'
import type { components } from '../../api/schema.gen'

export type UserCard = components['schemas']['UserCard']

/** One page of the members with this in their nickname (spec V212); a failure shows a toast (V217). */
export const useUsers = (nickname: string, { page = 1, size }: { page?: number; size: number }) =>
  useApiQuery(
    '/api/v1/users',
    { query: { searchKey: 'nickname', searchValue: nickname }, headers: paged(page, size) },
    { placeholderData: keepPreviousData, meta: TOAST_ON_ERROR },
  )
