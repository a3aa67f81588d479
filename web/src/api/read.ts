// Query hooks for calls that the server's document does not type. Their keys have the same form as `$api`'s.
import { type QueryKey, queryOptions, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type CallOptions, call } from './client'

type ReadOptions = Omit<CallOptions, 'body' | 'signal' | 'keepalive'>

/** The key of a GET: `['get', template, options]`; `['get', template]` invalidates all of them. */
export const readKey = (template: string, options: ReadOptions = {}): QueryKey => ['get', template, options]

/** Options for `useQuery`, `ensureQueryData` and the like. */
export const readOptions = <T>(template: string, options: ReadOptions = {}) =>
  queryOptions({
    queryKey: readKey(template, options),
    queryFn: ({ signal }) => call<T>('GET', template, { ...options, signal }),
  })

/** `useRead<Products>('/api/v1/shop/products', { query, headers: paged(page, 20) }, { placeholderData: keepPreviousData })` */
export function useRead<T>(
  template: string,
  options: ReadOptions = {},
  more: Partial<Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>> = {},
): UseQueryResult<T> {
  const { queryKey, queryFn } = readOptions<T>(template, options)
  return useQuery<T>({ ...more, queryKey, queryFn: queryFn as UseQueryOptions<T>['queryFn'] })
}
