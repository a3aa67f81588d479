// Withdraws a claim: a cancellation until it is decided, a return or an exchange until its goods are picked up.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client'
import { guestOrderHeaders } from '../../api/guestOrders'
import type { OrderCard, PurchaseRow } from '../../api/types'
import { claimWords } from '../../features/claims/words'
import { confirmDialog } from '../../ui/confirm'
import { toast } from '../../ui/toast'
import { invalidateOrders } from './api'

type ClaimedOrder = Pick<OrderCard, '_id' | 'purchases'>

/** How many other purchases of the order this one's claim covers. */
const othersOf = ({ purchases }: ClaimedOrder, { purchaseNo, claim }: PurchaseRow): number =>
  purchases.filter((one) => one.purchaseNo !== purchaseNo && one.claim?._id === claim?._id).length

export function useWithdrawClaim(order: ClaimedOrder, onDone?: () => void) {
  const queryClient = useQueryClient()
  const withdraw = useMutation({
    mutationFn: ({ purchaseNo }: PurchaseRow) =>
      call('POST', '/api/v1/me/purchases/{purchaseNo}/withdraw', {
        path: { purchaseNo },
        headers: guestOrderHeaders(order._id),
      }),
    onSuccess: () => {
      void toast('신청을 철회했습니다.', { tone: 'success' })
      onDone?.()
    },
    // A refusal means that the page is out of date.
    onSettled: () => invalidateOrders(queryClient),
  })
  const ask = async (purchase: PurchaseRow) => {
    const others = othersOf(order, purchase)
    const kind = purchase.claim && claimWords.kind[purchase.claim.kind]
    const isSure = await confirmDialog({
      title: `${kind ?? ''} 신청을 철회할까요?`.trim(),
      text:
        others > 0
          ? `함께 신청한 다른 상품 ${others}건의 신청도 철회됩니다. 필요하면 다시 신청할 수 있습니다.`
          : '필요하면 다시 신청할 수 있습니다.',
      yes: '신청 철회',
    })
    if (isSure) withdraw.mutate(purchase)
  }
  return { ask, isPending: withdraw.isPending }
}
