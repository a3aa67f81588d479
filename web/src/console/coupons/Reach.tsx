// What the coupon of the form is, who would get it, and what it would have cost last month: asked while it is made, before it is saved.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import type { components } from '../../api/schema.gen'
import { cn } from '../../lib/cn'
import { Facts } from '../../ui/Card'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { Loading, Skeleton } from '../../ui/states'
import type { CouponReach } from '../benefits/types'
import type { Document } from '../crud/formState'
import { NumbersTable } from '../crud/NumbersTable'
import { reachWords as t } from './reachWords'

const REACH = '/api/console/shop/coupons/reach'
const DEBOUNCE_MS = 500

/** The value once it has stayed the same for a moment. */
function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export type ReachProps = {
  /** As it would be saved; undefined while something in it is no valid value. */
  coupon: Document | undefined
  /** What a level is called. */
  levelName: (code: string) => string
}

export default function Reach({ coupon, levelName }: ReachProps) {
  const body = coupon && JSON.stringify(coupon)
  const asked = useSettled(body)
  const { data, error, isFetching } = useQuery({
    queryKey: ['post', REACH, asked],
    queryFn: ({ signal }) =>
      call('POST', REACH, { body: JSON.parse(asked ?? '') as components['schemas']['Coupon'], signal }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { suppressToast: true },
  })
  const isOld = isFetching || asked !== body
  if (body === undefined) return <p className="text-ink-2">{t.incomplete}</p>
  if (error && !isOld) {
    const { fields, message } = toApiError(error)
    return (
      <Notice tone="warning">
        {t.refused} {fields.map((field) => field.message).join(' ') || message}
      </Notice>
    )
  }
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-32" />
      </Loading>
    )
  return (
    <div aria-busy={isOld} className={cn('grid gap-5 transition-opacity', isOld && 'opacity-50')}>
      <p aria-live="polite" className="font-semibold text-lg">
        {data.sentence}
      </p>
      <div className="grid gap-6 md:grid-cols-2">
        <Members reach={data} levelName={levelName} />
        <LastMonth {...data.lastMonth} />
      </div>
    </div>
  )
}

type MembersProps = Pick<ReachProps, 'levelName'> & { reach: CouponReach }

function Members({ reach: { members, byLevel, sample }, levelName }: MembersProps) {
  if (members === 0) return <Notice tone="warning">{t.nobody}</Notice>
  return (
    <div className="grid content-start gap-3">
      <p>{t.members(members)}</p>
      <NumbersTable
        caption={t.byLevel}
        of={t.level}
        columns={[t.count]}
        rows={byLevel.map(({ level, members }) => ({
          id: level ?? '',
          name: level == null ? t.noLevel : levelName(level),
          figures: [t.people(members)],
        }))}
      />
      {sample.length > 0 && (
        <p className="break-words text-ink-2 text-sm">
          {t.sample}: {sample.map(({ name }) => name).join(', ')}
        </p>
      )}
    </div>
  )
}

const LastMonth = ({ orders, discount, sellers, shop, partial }: CouponReach['lastMonth']) => (
  <div className="grid content-start gap-3">
    <p>{t.lastMonth}</p>
    <Facts
      rows={[
        { name: t.orders, value: <span className="figures">{t.orderCount(orders)}</span> },
        { name: t.sellers, value: <Money amount={sellers} /> },
        { name: t.shop, value: <Money amount={shop} /> },
        { name: t.discount, value: <Money amount={discount} />, strong: true },
      ]}
    />
    <p className="text-ink-3 text-sm">
      {t.upperBound} {partial && t.partial}
    </p>
  </div>
)
