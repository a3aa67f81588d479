// What a coupon does, whether it is given out now, and what became of it.
import { Badge } from '../../ui/Badge'
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import { getIn } from '../crud/formState'
import type { Row } from '../crud/resourceDefinition'

/** What it does and for whom. */
export const SentenceCell = ({ row }: { row: Row }) => (
  <span title={String(row.sentence ?? '')} className="wrap-anywhere line-clamp-3 max-w-prose text-sm">
    {String(row.sentence ?? '')}
  </span>
)

export const Active = ({ row }: { row: Row }) =>
  getIn(row, 'issue.isActive') === true ? <Badge tone="good">발급 중</Badge> : <Badge>중지</Badge>

/** It brings a plot along. */
const Statistics = optional(() => import('./Statistics'), {
  waiting: () => (
    <Loading>
      <Skeleton className="h-64" />
    </Loading>
  ),
  instead: missing,
})

export const CouponBelow = (props: { id: string; ledger?: string }) => <Statistics {...props} />
