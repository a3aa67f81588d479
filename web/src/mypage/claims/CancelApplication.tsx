// Cancels an order or pieces of it: selection, reason, and refund. The command sends the amounts shown, and is refused if they changed.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import { useIdempotentSend } from '../../api/sendOnce'
import type { OrderDetail, PurchaseRow } from '../../api/types'
import { goodsText } from '../../features/claims/words'
import { useLeaveWarning } from '../../features/forms/unsaved'
import { useForm } from '../../features/forms/useForm'
import { useOrderHref } from '../../features/orders/useOrder'
import { RefundPreview, shownSums, useRefundPreview } from '../../features/refunds/RefundPreview'
import reasons from '../../i18n/cancel-reasons.json'
import { Button, ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { FormError } from '../../ui/FormError'
import { EmptyState } from '../../ui/states'
import { invalidateOrders } from '../orders/api'
import { OrderPage } from '../orders/OrderPage'
import { ApplicationDone } from './ApplicationDone'
import { allPieces, PieceChooser, type Pieces } from './PieceChooser'
import { NO_REASON, ReasonFields, reasonError, reasonText } from './ReasonFields'
import { useMadeClaims } from './useMadeClaims'

export function CancelApplicationPage() {
  return <OrderPage title="주문 취소">{(order) => <CancelApplication key={order._id} order={order} />}</OrderPage>
}

const PREVIEW = '/api/v1/me/orders/{id}/cancel/preview'
const CONFLICT = 409

/** The purchases that can be canceled, at once or after an approval. */
const cancelableOf = ({ purchases }: OrderDetail): PurchaseRow[] =>
  purchases.filter(({ nextActions }) => nextActions.includes('cancel') || nextActions.includes('requestCancel'))

function CancelApplication({ order }: { order: OrderDetail }) {
  const [params] = useSearchParams()
  const orderHref = useOrderHref(order._id)
  const [made, onDone] = useMadeClaims(order)
  if (made) {
    const { claims } = made
    const asks = claims.some(({ state }) => state === 'REQUESTED')
    return (
      <ApplicationDone
        title={asks ? '취소를 신청했습니다' : '취소했습니다'}
        text={claims.length === 0 ? '결제하지 않은 주문이라 환불할 금액이 없습니다.' : undefined}
        {...made}
      />
    )
  }
  const lines = cancelableOf(order)
  // An unpaid order is canceled as a whole.
  const isWhole = lines.length === 0 && order.nextActions.includes('cancel')
  if (lines.length === 0 && !isWhole)
    return (
      <EmptyState
        title="취소할 수 있는 상품이 없습니다"
        text="이미 취소했거나 발송된 상품입니다. 받은 상품은 주문 상세에서 교환이나 반품을 신청할 수 있습니다."
        action={<ButtonLink to={orderHref}>주문 상세</ButtonLink>}
      />
    )
  return <CancelForm order={order} lines={lines} isWhole={isWhole} named={params.get('purchase')} onDone={onDone} />
}

type CancelFormProps = {
  order: OrderDetail
  lines: readonly PurchaseRow[]
  /** The order is canceled as a whole. */
  isWhole: boolean
  /** The purchase the buyer came from. */
  named: string | null
  onDone: (order: OrderDetail) => void
}

function CancelForm({ order, lines, isWhole, named, onDone }: CancelFormProps) {
  const queryClient = useQueryClient()
  const orderHref = useOrderHref(order._id)
  const sendOnce = useIdempotentSend()
  const [pieces, setPieces] = useState<Pieces>(() =>
    allPieces(named ? lines.filter(({ purchaseNo }) => purchaseNo === named) : lines),
  )
  const chosen = lines.filter(({ purchaseNo }) => pieces[purchaseNo])
  const purchases = {
    _purchases: chosen.map(({ purchaseNo }) => purchaseNo),
    quantities: chosen.map(({ purchaseNo }) => pieces[purchaseNo] ?? 0),
  }
  const path = { id: order._id }
  const headers = guestOrderHeaders(order._id)
  const body = isWhole ? {} : purchases
  const isChosen = isWhole || chosen.length > 0
  const preview = useRefundPreview(
    [PREVIEW, order._id, body],
    (signal) => call('POST', PREVIEW, { path, headers, body, signal }),
    isChosen,
  )
  const shown = shownSums(preview)
  const form = useForm({
    initial: NO_REASON,
    check: (reason) => ({
      _purchases: isChosen ? undefined : '취소할 상품을 선택해 주세요.',
      reason: reasonError(reason),
    }),
    fields: ['quantities'],
    send: (values) => {
      const claim = { reason: reasonText(values), shown }
      return sendOnce({ ...body, ...claim }, (key) =>
        isWhole
          ? call('POST', '/api/v1/me/orders/{id}/cancel', { path, headers: { ...headers, ...key }, body: claim })
          : call('POST', '/api/v1/me/purchases/cancel', {
              headers: { ...headers, ...key },
              body: { ...purchases, ...claim },
            }),
      ).catch((thrown: unknown) => {
        // The cancelable purchases, or the refund, are outdated.
        if (toApiError(thrown).status === CONFLICT) void Promise.all([preview.refetch(), invalidateOrders(queryClient)])
        throw thrown
      })
    },
    onSent: ({ order: after }) => {
      onDone(after)
      void invalidateOrders(queryClient)
    },
  })
  useLeaveWarning(form.isDirty && !form.isPending)
  const asks = chosen.some(({ nextActions }) => !nextActions.includes('cancel'))
  return (
    <form {...form.formProps} className="mt-6 grid gap-5">
      <Card title="취소할 상품">
        {isWhole ? (
          <ul className="grid gap-1.5">
            {order.purchases.map((line) => (
              <li key={line.purchaseNo}>{goodsText(line)}</li>
            ))}
          </ul>
        ) : (
          <PieceChooser
            lines={lines}
            pieces={pieces}
            onPieces={setPieces}
            error={form.errors._purchases ?? form.errors.quantities}
          />
        )}
      </Card>
      <Card title="취소 사유">
        <ReasonFields
          legend="취소 사유"
          reasons={reasons}
          value={form.values}
          onValueChange={form.set}
          error={form.errors.reason}
        />
      </Card>
      <Card title="환불">
        {isChosen ? (
          <RefundPreview query={preview} />
        ) : (
          <p className="text-ink-2">취소할 상품을 선택하면 환불 예정 내역을 보여 드립니다.</p>
        )}
        {asks && (
          <p className="mt-3 text-ink-2 text-sm">
            준비 중인 상품은 판매자가 승인해야 취소됩니다. 승인하기 전에는 신청을 철회할 수 있습니다.
          </p>
        )}
      </Card>
      <FormError>{form.errors.form}</FormError>
      <div className="flex gap-2 max-xs:[&>*]:flex-1 sm:justify-end">
        <ButtonLink to={orderHref} variant="outline">
          돌아가기
        </ButtonLink>
        <Button type="submit" variant="danger" busy={form.isPending} disabled={isChosen && !shown}>
          {asks ? '취소 신청하기' : '취소하기'}
        </Button>
      </div>
    </form>
  )
}
