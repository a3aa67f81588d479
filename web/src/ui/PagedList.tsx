// One page of a list: skeleton, error with retry, empty state, rows and links to the other pages.
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { cn } from '../lib/cn'
import { pageCount } from '../lib/pagination'
import { Pagination } from './Pagination'
import { ErrorState, Loading } from './states'

type PagedListProps<Answer> = {
  query: Pick<UseQueryResult<Answer>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>
  /** The current page, from 1. */
  page: number
  size: number
  /** Number of skeletons shown until the first response. */
  skeleton: ReactNode
  skeletonClass?: string
  /** Shown when nothing matches. */
  empty: ReactNode
  /** Name of the list, for a page with several. */
  label?: string
  /** Space between the page numbers and the rows. */
  paginationClass?: string
  children: (answer: Answer) => ReactNode
} & ({ hrefOf: (page: number) => string; onPage?: undefined } | { onPage: (page: number) => void; hrefOf?: undefined })

export function PagedList<Answer extends { summary: { totalCount: number } }>({
  query: { data, error, refetch, isPlaceholderData },
  page,
  size,
  skeleton,
  skeletonClass,
  empty,
  label,
  paginationClass = 'mt-8',
  children,
  ...way
}: PagedListProps<Answer>) {
  const pages = pageCount(data?.summary.totalCount ?? 0, size)
  // A page that no longer exists (its rows were deleted, an old link) falls back to the last one.
  const isBeyond = data !== undefined && !isPlaceholderData && page > pages
  const { onPage } = way
  useEffect(() => {
    if (isBeyond) onPage?.(pages)
  }, [isBeyond, onPage, pages])

  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading className={skeletonClass}>{skeleton}</Loading>
    )
  if (isBeyond && way.hrefOf) return <Navigate to={way.hrefOf(pages)} replace />
  return (
    <>
      {data.summary.totalCount === 0 ? (
        empty
      ) : (
        <div aria-busy={isPlaceholderData} className={cn('transition-opacity', isPlaceholderData && 'opacity-50')}>
          {children(data)}
        </div>
      )}
      {pages > 1 && <Pagination page={page} pages={pages} label={label} className={paginationClass} {...way} />}
    </>
  )
}
