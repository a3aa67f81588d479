// What a coupon takes off, whether it is given out now, and what became of it.
import { Badge } from '../../ui/Badge'
import { Money } from '../../ui/Money'
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import { getIn } from '../crud/formState'
import type { Row } from '../crud/resourceDefinition'

export const DiscountCell = ({ row }: { row: Row }) =>
  row.unit === 'AMOUNT' && typeof row.value === 'number' ? (
    <Money amount={row.value} />
  ) : (
    <span className="figures">
      {String(row.value)}%
      {typeof row.limit === 'number' && (
        <>
          {' · '}최대 <Money amount={row.limit} />
        </>
      )}
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
