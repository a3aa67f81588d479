// A buyer's actions on an order or one of its purchases: exactly what the server lists.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../api/client'
import { guestOrderHeaders } from '../../api/guestOrders'
import { useLoggedIn } from '../../api/session'
import type { ClaimKind, NextAction, OrderCard, PurchaseRow } from '../../api/types'
import { applicationHref } from '../../features/claims/claimHrefs'
import { MY_ORDER } from '../../features/orders/useOrder'
import { payOrder } from '../../features/payment/api'
import { Button, ButtonLink } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { toast } from '../../ui/toast'
import { invalidateOrders } from './api'
import { useWithdrawClaim } from './useWithdrawClaim'

const LABELS: Partial<Record<NextAction, string>> = {
  pay: '결제하기',
  cancel: '주문취소',
  requestCancel: '취소신청',
  requestReturn: '반품신청',
  requestExchange: '교환신청',
  withdrawClaim: '신청 철회',
  confirm: '구매확정',
}

/** Actions with a page of their own. */
const APPLICATIONS: Partial<Record<NextAction, ClaimKind>> = {
  cancel: 'CANCEL',
  requestCancel: 'CANCEL',
  requestReturn: 'RETURN',
  requestExchange: 'EXCHANGE',
}

/** A guest earns no points, and cannot ask about products. */
const confirmationText = (loggedIn: boolean): string =>
  `확정하면 ${loggedIn ? '적립금이 쌓이고, ' : ''}이 화면에서는 교환·반품을 신청할 수 없습니다. 확정한 뒤에도 법이 정한 기간 안에는 ${
    loggedIn ? '상품 문의로' : '고객센터의 제휴·문의에서'
  } 청약철회와 반품을 요청할 수 있습니다.`

type ActionsProps = {
  order: Pick<OrderCard, '_id' | 'status' | 'paymentMethod' | 'nextActions' | 'purchases'>
  /** One purchase, or the whole order. */
  purchase?: PurchaseRow
  onDone?: () => void
}

/**
 * The actions to show: for an order with a single purchase, only those at the purchase. An unpaid order is paid and canceled as a
 * whole; a paid one may have more purchases than a filtered list shows.
 */
export function actionsFor({ order, purchase }: ActionsProps): NextAction[] {
  const single = order.purchases.length === 1
  const isUnpaid = order.status === 'ORDER_NONPAYMENT'
  const given = purchase
    ? [...(single && isUnpaid ? order.nextActions : []), ...purchase.nextActions]
    : single
      ? []
      : order.nextActions
  return [...new Set(given)].filter((action) => LABELS[action] !== undefined)
}

export function Actions(props: ActionsProps) {
  const { order, purchase, onDone } = props
  const queryClient = useQueryClient()
  const headers = guestOrderHeaders(order._id)
  const loggedIn = useLoggedIn()
  const withdraw = useWithdrawClaim(order, onDone)
  const confirm = useMutation({
    mutationFn: () =>
      call('POST', `${MY_ORDER}/confirm`, {
        path: { id: order._id },
        headers,
        body: purchase ? { purchaseNo: purchase.purchaseNo } : {},
      }),
    onSuccess: async () => {
      void toast('구매를 확정했습니다.', { tone: 'success' })
      await invalidateOrders(queryClient)
      onDone?.()
    },
  })
  const pay = useMutation({ mutationFn: () => payOrder(order._id, order.paymentMethod) })
  const askToConfirm = async () => {
    const isSure = await confirmDialog({
      title: '구매를 확정할까요?',
      text: confirmationText(loggedIn),
      yes: LABELS.confirm,
    })
    if (isSure) confirm.mutate()
  }

  const button = (action: NextAction, text: ReactNode) => {
    switch (action) {
      case 'pay':
        return (
          <Button key={action} size="sm" variant="accent" busy={pay.isPending} onClick={() => pay.mutate()}>
            {text}
          </Button>
        )
      case 'confirm':
        return (
          <Button key={action} size="sm" variant="outline" busy={confirm.isPending} onClick={() => void askToConfirm()}>
            {text}
          </Button>
        )
      case 'withdrawClaim':
        return (
          purchase && (
            <Button
              key={action}
              size="sm"
              variant="outline"
              busy={withdraw.isPending}
              onClick={() => void withdraw.ask(purchase)}
            >
              {text}
            </Button>
          )
        )
      default: {
        const kind = APPLICATIONS[action]
        return (
          kind && (
            <ButtonLink
              key={action}
              to={applicationHref(kind, order._id, purchase?.purchaseNo)}
              size="sm"
              variant="outline"
            >
              {text}
            </ButtonLink>
          )
        )
      }
    }
  }

  const actions = actionsFor(props)
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) =>
        button(action, purchase || action === 'pay' ? LABELS[action] : `전체 ${LABELS[action]}`),
      )}
    </div>
  )
}
