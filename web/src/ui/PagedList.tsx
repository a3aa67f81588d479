// One page of a list: its skeleton, its error with another try, its empty state, its rows and the way to the other pages.
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
  /** Outlines shown until the first answer. */
  skeleton: ReactNode
  skeletonClass?: string
  /** Shown when nothing matches. */
  empty: ReactNode
  /** Which list's pages, where a screen has several. */
  label?: string
  /** The distance of the page numbers to the rows. */
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
  // A page that is no more (its rows were removed, a link was old) gives way to the last one.
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
