// Returns pieces of a purchase: quantity, reason, pickup address, and refund.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import { useIdempotentSend } from '../../api/sendOnce'
import type { OrderDetail, PurchaseRow } from '../../api/types'
import { useLeaveWarning } from '../../features/forms/unsaved'
import { useForm } from '../../features/forms/useForm'
import { useOrderHref } from '../../features/orders/useOrder'
import { RefundPreview, shownSums, useRefundPreview } from '../../features/refunds/RefundPreview'
import { Button, ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { FormError } from '../../ui/FormError'
import { invalidateOrders } from '../orders/api'
import { OrderPage } from '../orders/OrderPage'
import { ApplicationDone } from './ApplicationDone'
import { FaultCard, faultErrors, faultOf, hiddenFaultError, NO_FAULT, type ReasonAndFault } from './FaultCard'
import { OnePurchase } from './OnePurchase'
import { type Pickup, PickupFields, pickupAt, pickupBody, pickupErrors } from './PickupFields'
import { type ClaimPicture, PicturesCard, pictureErrors, pictureIds } from './PicturesCard'
import { PiecesCard } from './PiecesCard'
import { reasonText } from './ReasonFields'
import { useMadeClaims } from './useMadeClaims'

export function ReturnApplicationPage() {
  return <OrderPage title="반품 신청">{(order) => <ReturnApplication key={order._id} order={order} />}</OrderPage>
}

const PREVIEW = '/api/v1/me/purchases/{purchaseNo}/return/preview'
const CONFLICT = 409

function ReturnApplication({ order }: { order: OrderDetail }) {
  const [made, onDone] = useMadeClaims(order)
  if (made) return <ApplicationDone title="반품을 신청했습니다" {...made} />
  return (
    <OnePurchase order={order} kind="RETURN" when="발송된 뒤부터 구매를 확정하기 전까지 신청할 수 있습니다.">
      {(line) => <ReturnForm key={line.purchaseNo} order={order} line={line} onDone={onDone} />}
    </OnePurchase>
  )
}

type ReturnValues = ReasonAndFault & { quantity: number; pickup: Pickup; pictures: readonly ClaimPicture[] }

type ReturnFormProps = { order: OrderDetail; line: PurchaseRow; onDone: (order: OrderDetail) => void }

function ReturnForm({ order, line, onDone }: ReturnFormProps) {
  const queryClient = useQueryClient()
  const orderHref = useOrderHref(order._id)
  const sendOnce = useIdempotentSend()
  const [initial] = useState<ReturnValues>(() => ({
    ...NO_FAULT,
    quantity: line.quantity,
    pickup: pickupAt(order.receiver),
    pictures: [],
  }))
  const [values, setValues] = useState(initial)
  const { quantity } = values
  const fault = faultOf(values)
  const path = { purchaseNo: line.purchaseNo }
  const headers = guestOrderHeaders(order._id)
  const preview = useRefundPreview(
    [PREVIEW, line.purchaseNo, quantity, fault],
    (signal) => call('POST', PREVIEW, { path, headers, body: { quantity, fault }, signal }),
    fault !== undefined,
  )
  const shown = shownSums(preview)
  const form = useForm<ReturnValues, { order: OrderDetail }>({
    initial,
    store: [values, (part) => setValues((now) => ({ ...now, ...part }))],
    check: (now) => ({ ...faultErrors(now), ...pictureErrors(now.pictures), ...pickupErrors(now.pickup) }),
    fields: ['quantity', 'pictures', 'pickup.address2'],
    send: (now) => {
      const pictures = pictureIds(now.pictures)
      const body = { quantity, reason: reasonText(now), fault, pictures, pickup: pickupBody(now.pickup), shown }
      return sendOnce(body, (key) =>
        call('POST', '/api/v1/me/purchases/{purchaseNo}/return', { path, headers: { ...headers, ...key }, body }),
      ).catch((thrown: unknown) => {
        // The returnable pieces, or the refund, are outdated.
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
  return (
    <form {...form.formProps} className="mt-6 grid gap-5">
      <PiecesCard
        word="반품"
        line={line}
        quantity={quantity}
        onQuantity={(count) => form.set({ quantity: count })}
        error={form.errors.quantity}
      />
      <FaultCard word="반품" topic="반품은" value={values} onValueChange={form.set} errors={form.errors} />
      <PicturesCard
        orderId={order._id}
        purchaseNo={line.purchaseNo}
        pictures={values.pictures}
        onPictures={(change) => setValues((now) => ({ ...now, pictures: change(now.pictures) }))}
        error={form.errors.pictures}
      />
      <PickupFields
        title="수거지"
        lead="상품을 수거할 주소입니다. 받으신 곳과 다르면 바꿔 주세요."
        value={values.pickup}
        onValueChange={(part) => form.set({ pickup: { ...values.pickup, ...part } })}
        errors={form.errors}
      />
      <Card title="환불">
        {fault ? (
          <RefundPreview query={preview} />
        ) : (
          <p className="text-ink-2">반품 사유를 선택하면 환불 예정 내역을 보여 드립니다.</p>
        )}
        <p className="mt-3 text-ink-2 text-sm">
          상품을 수거해 확인한 뒤 환불합니다. 수거하기 전에는 신청을 철회할 수 있습니다.
        </p>
      </Card>
      <FormError>{form.errors.form ?? hiddenFaultError(values, form.errors)}</FormError>
      <div className="flex gap-2 max-xs:[&>*]:flex-1 sm:justify-end">
        <ButtonLink to={orderHref} variant="outline">
          돌아가기
        </ButtonLink>
        <Button type="submit" busy={form.isPending} disabled={fault !== undefined && !shown}>
          반품 신청하기
        </Button>
      </div>
    </form>
  )
}
