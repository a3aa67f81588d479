// Loads the refund preview of a claim whenever the selection changes, and shows it.
import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { toApiError } from '../../api/errors'
import type { RefundPreview as Preview, ShownRefund } from '../../api/types'
import { cn } from '../../lib/cn'
import { formatMoney } from '../../lib/money'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { Refund, sumsOf } from './Refund'

type PreviewQuery = UseQueryResult<{ preview: Preview }>

/** The preview of the selection; while a new one is loading the last one stays. Both calls are POSTs that only read. */
export const useRefundPreview = (
  chosen: QueryKey,
  read: (signal: AbortSignal) => Promise<{ preview: Preview }>,
  enabled: boolean,
): PreviewQuery =>
  useQuery({
    queryKey: ['post', ...chosen],
    queryFn: ({ signal }) => read(signal),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** The amounts on screen, to be sent with the claim; undefined while they are not those of the selection. */
export const shownSums = ({ data, isFetching, isPlaceholderData }: PreviewQuery): ShownRefund | undefined =>
  data && !isFetching && !isPlaceholderData ? sumsOf(data.preview) : undefined

export function RefundPreview({ query, className }: { query: PreviewQuery; className?: string }) {
  const { data, error, isFetching, refetch } = query
  if (!data)
    return error ? (
      <ErrorState error={toApiError(error)} onRetry={() => void refetch()} className="py-6" />
    ) : (
      <Loading className={className}>
        <Skeleton className="h-40" />
      </Loading>
    )
  return (
    <>
      <p role="status" className="sr-only">
        {isFetching ? '' : `환불 금액 ${formatMoney(data.preview.refund.amount)}`}
      </p>
      <Refund preview={data.preview} className={cn('transition-opacity', isFetching && 'opacity-50', className)} />
    </>
  )
}
