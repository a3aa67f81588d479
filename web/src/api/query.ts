// Query hooks, typed by the OpenAPI document.
import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { addressOf, type CallOptions, request } from './client'
import { initialDataFor } from './initialData'
import type { PathOf, RequestOf, ResponseOf } from './openapiTypes'

type ReadOptions = Omit<CallOptions, 'body' | 'signal' | 'keepalive'>
type ReadOptionsOf<P extends PathOf<'GET'>> = Pick<CallOptions, 'headers'> & Omit<RequestOf<'GET', P>, 'body'>
type More<T> = Partial<Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>>

/** The key of a GET: `['get', template, options]`; `['get', template]` invalidates all of them. */
export const apiQueryKey = (template: string, options: ReadOptions = {}): QueryKey => ['get', template, options]

/** The embedded response to this call; there `skip` and `limit` are part of the address. */
function brought<T>(template: string, options: ReadOptions): T | undefined {
  return initialDataFor(addressOf(template, { ...options, query: { ...options.query, ...options.headers } })) as
    | T
    | undefined
}

const optionsOf = <T>(template: string, options: ReadOptions = {}) =>
  queryOptions({
    queryKey: apiQueryKey(template, options),
    queryFn: ({ signal }) => request('GET', template, { ...options, signal }) as Promise<T>,
    initialData: () => brought<T>(template, options),
    initialDataUpdatedAt: performance.timeOrigin,
  })

/** Options for `useQuery`, `ensureQueryData` and the like. */
export const apiQueryOptions = <P extends PathOf<'GET'>>(template: P, options: ReadOptionsOf<P>) =>
  optionsOf<ResponseOf<'GET', P>>(template, options as ReadOptions)

type UseApiQuery = <P extends PathOf<'GET'>>(
  template: P,
  options?: ReadOptionsOf<P>,
  more?: More<ResponseOf<'GET', P>>,
) => UseQueryResult<ResponseOf<'GET', P>>

/** `useApiQuery('/api/v1/shop/products', { query, headers: paged(page, 20) }, { placeholderData: keepPreviousData })` */
export const useApiQuery = ((template: string, options: ReadOptions = {}, more: More<unknown> = {}) =>
  useQuery({ ...more, ...optionsOf<unknown>(template, options) })) as UseApiQuery

/** Invalidates all reads of these templates, e.g. after a command that changes what they show. */
export const invalidator =
  (templates: readonly string[]) =>
  (client: QueryClient): Promise<unknown> =>
    Promise.all(templates.map((template) => client.invalidateQueries({ queryKey: apiQueryKey(template).slice(0, 2) })))
