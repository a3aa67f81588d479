// What a buyer may do next with an order or one purchase of it: exactly what the server lists, nothing the screen thinks up.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { guestOrderHeaders } from '../../api/guestOrders'
import { invalidator } from '../../api/query'
import type { NextAction, OrderCard, PurchaseRow } from '../../api/types'
import { MY_ORDER } from '../../features/orders/useOrder'
import { payOrder } from '../../features/payment/api'
import { WRITABLE } from '../../features/reviews/api'
import { Button } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { toast } from '../../ui/toast'
import { MY_COUPONS, MY_POINTS } from '../benefits'
import { CancelDialog } from './CancelDialog'

export const MY_ORDERS = '/api/v1/me/orders'

/** After an order was confirmed or canceled: what may be reviewed, points and coupons change with it. */
const invalidateOrders = invalidator([MY_ORDERS, MY_ORDER, WRITABLE, MY_POINTS, MY_COUPONS])

const LABELS: Record<string, string> = {
  pay: '결제하기',
  cancel: '주문취소',
  requestCancel: '취소신청',
  confirm: '구매확정',
}

export type ActionsProps = {
  order: Pick<OrderCard, '_id' | 'paymentMethod' | 'nextActions' | 'purchases'>
  /** One purchase, or the whole order. */
  purchase?: PurchaseRow
  onDone?: () => void
}

/** The actions to show: an order of one purchase shows the order's with the purchase's, and none of its own. */
export function actionsFor({ order, purchase }: ActionsProps): NextAction[] {
  const single = order.purchases.length === 1
  const given = purchase
    ? [...(single ? order.nextActions : []), ...purchase.nextActions]
    : single
      ? []
      : order.nextActions
  return [...new Set(given)].filter((action) => LABELS[action] !== undefined)
}

export function Actions(props: ActionsProps) {
  const { order, purchase, onDone } = props
  const queryClient = useQueryClient()
  const [canceling, setCanceling] = useState<NextAction>()
  const headers = guestOrderHeaders(order._id)
  const done = async (said: string) => {
    void toast(said, { tone: 'success' })
    await invalidateOrders(queryClient)
    onDone?.()
  }
  const confirm = useMutation({
    mutationFn: () =>
      call('POST', `${MY_ORDER}/confirm`, {
        path: { id: order._id },
        headers,
        body: purchase ? { purchaseNo: purchase.purchaseNo } : {},
      }),
    onSuccess: () => done('구매를 확정했습니다.'),
  })
  const pay = useMutation({ mutationFn: () => payOrder(order._id, order.paymentMethod) })

  const start = async (action: NextAction) => {
    if (action === 'pay') pay.mutate()
    if (action === 'cancel' || action === 'requestCancel') setCanceling(action)
    if (
      action === 'confirm' &&
      (await confirmDialog({
        title: '구매를 확정할까요?',
        text: '확정하면 적립금이 쌓입니다. 확정한 뒤에도 법이 정한 기간 안에는 고객센터에서 청약철회와 교환·반품을 신청할 수 있습니다.',
        yes: LABELS.confirm,
      }))
    )
      confirm.mutate()
  }

  const actions = actionsFor(props)
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === 'pay' ? 'accent' : 'outline'}
          busy={(action === 'confirm' && confirm.isPending) || (action === 'pay' && pay.isPending)}
          onClick={() => void start(action)}
        >
          {purchase ? LABELS[action] : action === 'pay' ? LABELS.pay : `전체 ${LABELS[action]}`}
        </Button>
      ))}
      {canceling && (
        <CancelDialog
          order={order}
          purchase={purchase}
          asking={canceling === 'requestCancel'}
          onClose={() => setCanceling(undefined)}
          onDone={(said) => {
            setCanceling(undefined)
            void done(said)
          }}
        />
      )}
    </div>
  )
}
