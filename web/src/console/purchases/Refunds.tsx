// The refunds of canceling purchases, or approving claims: by order or claim, and in total.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { Refund } from '../../features/refunds/Refund'
import { Money } from '../../ui/Money'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { batchWords } from '../crud/batchWords'
import type { RefundWish } from '../types'
import { REFUNDS, type RefundsAnswer } from './purchaseActions'

const t = batchWords

/** Reloaded whenever a dialog opens; no request while `wish` is undefined. */
export const useRefunds = (wish: RefundWish | undefined) =>
  useQuery({
    enabled: wish !== undefined,
    // A read, though its method is POST.
    queryKey: ['post', REFUNDS, wish],
    queryFn: ({ signal }) => call('POST', REFUNDS, { body: wish ?? {}, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

export function Refunds({ read }: { read: UseQueryResult<RefundsAnswer> }) {
  const { data, error } = read
  if (error) return <ErrorState error={toApiError(error)} onRetry={() => void read.refetch()} className="py-6" />
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-40" />
      </Loading>
    )
  const { refunds, sums, failed } = data
  return (
    <div className="grid gap-3">
      {refunds.map(({ purchaseNos, preview }) => (
        <div key={purchaseNos.join()}>
          {refunds.length > 1 && <p className="figures mb-1 text-ink-3 text-xs">{purchaseNos.join(', ')}</p>}
          <Refund preview={preview} />
        </div>
      ))}
      {refunds.length > 1 && (
        <dl className="grid gap-1 border-line border-t pt-3">
          <Sum name={t.refundSum} amount={sums.refund} strong />
          {sums.points > 0 && <Sum name={t.pointsSum} amount={sums.points} />}
        </dl>
      )}
      {failed.length > 0 && (
        <section aria-label={t.refuses}>
          <h3 className="font-semibold text-sm">{t.refuses}</h3>
          <ul className="mt-1 grid gap-1 text-sm">
            {failed.map(({ id, message }) => (
              <li key={id}>
                <span className="figures">{id}</span> <span className="text-danger">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const Sum = ({ name, amount, strong = false }: { name: string; amount: number; strong?: boolean }) => (
  <div className={strong ? 'flex justify-between font-bold' : 'flex justify-between text-ink-2'}>
    <dt>{name}</dt>
    <dd>
      <Money amount={amount} />
    </dd>
  </div>
)
