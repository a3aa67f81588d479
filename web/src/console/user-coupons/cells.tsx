// The state of a member's coupon, what it takes off, and what can be done with it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney } from '../../lib/money'
import type { Tone } from '../../lib/order-status'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { nameOf } from '../benefits/fields'
import type { UserCoupon, UserCouponState } from '../benefits/types'
import { bringBack, LastDayDialog, TakeDialog } from './commands'
import { userCouponWords as t } from './words'

const TONES: Record<UserCouponState, Tone> = { HELD: 'good', USED: 'busy', EXPIRED: 'quiet', TAKEN: 'bad' }

export const CouponBadge = ({ state }: { state: UserCouponState }) => (
  <Badge tone={TONES[state]}>{t.states[state]}</Badge>
)

/** `10% · 최대 $30.00`. */
export function worthOf({ unit, value, limit }: Pick<UserCoupon, 'unit' | 'value' | 'limit'>): string {
  if (unit === 'AMOUNT') return formatMoney(value)
  return typeof limit === 'number' ? `${value}% · ${t.upTo} ${formatMoney(limit)}` : `${value}%`
}

/** One that expired may be given more time; one that was used stays as it is. */
export function CouponActions({ coupon }: { coupon: UserCoupon }) {
  const client = useQueryClient()
  const [open, setOpen] = useState<'take' | 'day'>()
  const [busy, setBusy] = useState(false)
  const close = () => setOpen(undefined)
  const of = (action: string) => `${nameOf(coupon)} ${coupon.couponName} ${action}`
  if (coupon.state === 'TAKEN')
    return (
      <Button
        size="sm"
        variant="outline"
        busy={busy}
        aria-label={of(t.bringBack)}
        onClick={() => {
          setBusy(true)
          void bringBack(client, coupon).finally(() => setBusy(false))
        }}
      >
        {t.bringBack}
      </Button>
    )
  if (coupon.state === 'USED') return null
  return (
    <span className="flex flex-wrap justify-end gap-1">
      <Button size="sm" variant="outline" aria-label={of(t.changeDay)} onClick={() => setOpen('day')}>
        {t.changeDay}
      </Button>
      {coupon.state === 'HELD' && (
        <Button size="sm" variant="danger" aria-label={of(t.take)} onClick={() => setOpen('take')}>
          {t.take}
        </Button>
      )}
      {open === 'take' && <TakeDialog coupon={coupon} onClose={close} />}
      {open === 'day' && <LastDayDialog coupon={coupon} onClose={close} />}
    </span>
  )
}
