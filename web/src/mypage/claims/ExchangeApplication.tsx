// Exchanges pieces of a purchase: quantity, new option, reason, pickup and delivery address, and the cost.
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
import { Button, ButtonLink } from '../../ui/Button'
import { FormError } from '../../ui/FormError'
import { invalidateOrders } from '../orders/api'
import { OrderPage } from '../orders/OrderPage'
import { ApplicationDone } from './ApplicationDone'
import {
  choiceOf,
  chosenOption,
  DifferenceBack,
  ExchangeCost,
  ReplacementChooser,
  useExchangeChoices,
} from './ExchangeParts'
import { FaultCard, faultErrors, faultOf, hiddenFaultError, NO_FAULT, type ReasonAndFault } from './FaultCard'
import { OnePurchase } from './OnePurchase'
import { type Pickup, PickupFields, pickupAt, pickupBody, pickupErrors } from './PickupFields'
import { type ClaimPicture, PicturesCard, pictureErrors, pictureIds } from './PicturesCard'
import { PiecesCard } from './PiecesCard'
import { reasonText } from './ReasonFields'
import { useMadeClaims } from './useMadeClaims'

export function ExchangeApplicationPage() {
  return <OrderPage title="교환 신청">{(order) => <ExchangeApplication key={order._id} order={order} />}</OrderPage>
}

const REFUSED = [400, 409]

function ExchangeApplication({ order }: { order: OrderDetail }) {
  const [made, onDone] = useMadeClaims(order)
  if (made) return <ApplicationDone title="교환을 신청했습니다" {...made} />
  return (
    <OnePurchase order={order} kind="EXCHANGE" when="배송이 완료된 뒤부터 구매를 확정하기 전까지 신청할 수 있습니다.">
      {(line) => <ExchangeForm key={line.purchaseNo} order={order} line={line} onDone={onDone} />}
    </OnePurchase>
  )
}

type ExchangeValues = ReasonAndFault & {
  quantity: number
  pickup: Pickup
  pictures: readonly ClaimPicture[]
  /** The new option; empty if the product has none, undefined until one is chosen. */
  _option: string | undefined
}

type ExchangeFormProps = { order: OrderDetail; line: PurchaseRow; onDone: (order: OrderDetail) => void }

function ExchangeForm({ order, line, onDone }: ExchangeFormProps) {
  const queryClient = useQueryClient()
  const orderHref = useOrderHref(order._id)
  const sendOnce = useIdempotentSend()
  const [initial] = useState<ExchangeValues>(() => ({
    ...NO_FAULT,
    quantity: line.quantity,
    pickup: pickupAt(order.receiver),
    pictures: [],
    _option: undefined,
  }))
  const [typed, setTyped] = useState(initial)
  const choices = useExchangeChoices(order._id, line.purchaseNo, typed.quantity)
  const _option = choices.data && chosenOption(choices.data, typed.quantity, typed._option)
  const values = { ...typed, _option }
  const choice = choiceOf(choices.data, _option)
  const form = useForm<ExchangeValues, { order: OrderDetail }>({
    // The option is preselected.
    initial: { ...initial, _option },
    store: [values, (part) => setTyped((now) => ({ ...now, ...part }))],
    check: (now) => ({
      _option: now._option === undefined ? '교환해서 받을 상품을 선택해 주세요.' : undefined,
      ...faultErrors(now),
      ...pictureErrors(now.pictures),
      ...pickupErrors(now.pickup),
    }),
    fields: ['quantity', 'pictures', 'pickup.address2'],
    send: (now) => {
      const by = faultOf(now)
      const body = {
        quantity: now.quantity,
        _option: now._option || undefined,
        reason: reasonText(now),
        fault: by,
        pictures: pictureIds(now.pictures),
        pickup: pickupBody(now.pickup),
        fee: by === 'BUYER' ? choices.data?.fee : undefined,
        difference: choice?.difference,
      }
      return sendOnce(body, (key) =>
        call('POST', '/api/v1/me/purchases/{purchaseNo}/exchange', {
          path: { purchaseNo: line.purchaseNo },
          headers: { ...guestOrderHeaders(order._id), ...key },
          body,
        }),
      ).catch((thrown: unknown) => {
        // The exchangeable pieces, the options, or the cost, are outdated.
        if (REFUSED.includes(toApiError(thrown).status))
          void Promise.all([choices.refetch(), invalidateOrders(queryClient)])
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
        word="교환"
        line={line}
        quantity={values.quantity}
        onQuantity={(quantity) => form.set({ quantity })}
        error={form.errors.quantity}
      />
      <ReplacementChooser
        query={choices}
        order={order}
        line={line}
        quantity={values.quantity}
        value={values._option}
        onValueChange={(option) => form.set({ _option: option })}
        error={form.errors._option}
      />
      <FaultCard word="교환" topic="교환은" value={values} onValueChange={form.set} errors={form.errors} />
      <PicturesCard
        orderId={order._id}
        purchaseNo={line.purchaseNo}
        pictures={values.pictures}
        onPictures={(change) => setTyped((now) => ({ ...now, pictures: change(now.pictures) }))}
        error={form.errors.pictures}
      />
      <PickupFields
        title="수거지와 새 상품을 받을 곳"
        lead="이 주소에서 상품을 수거하고, 새 상품도 이 주소로 보내 드립니다."
        value={values.pickup}
        onValueChange={(part) => form.set({ pickup: { ...values.pickup, ...part } })}
        errors={form.errors}
      />
      <DifferenceBack choice={choice} />
      <ExchangeCost fault={faultOf(values)} fee={choices.data?.fee} price={choice?.price ?? 0} />
      <FormError>{form.errors.form ?? hiddenFaultError(values, form.errors)}</FormError>
      <div className="flex gap-2 max-xs:[&>*]:flex-1 sm:justify-end">
        <ButtonLink to={orderHref} variant="outline">
          돌아가기
        </ButtonLink>
        <Button
          type="submit"
          busy={form.isPending}
          disabled={!choices.data || (choices.isFetching && !choices.isPlaceholderData)}
        >
          교환 신청하기
        </Button>
      </div>
    </form>
  )
}
