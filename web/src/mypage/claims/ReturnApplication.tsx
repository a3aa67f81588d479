// Returning pieces of a purchase: how many, why, where they are picked up, and what that gives back.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import type { Fault, OrderDetail, PurchaseRow } from '../../api/types'
import { goodsText } from '../../features/claims/words'
import { useForm } from '../../features/forms/useForm'
import { useOrderHref } from '../../features/orders/useOrder'
import { RefundPreview, shownSums, useRefundPreview } from '../../features/refunds/RefundPreview'
import reasons from '../../i18n/return-reasons.json'
import { Button, ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { FormError } from '../../ui/FormError'
import { NumberStepper } from '../../ui/NumberStepper'
import { Picture } from '../../ui/Picture'
import { EmptyState } from '../../ui/states'
import { invalidateOrders } from '../orders/api'
import { applicationHref } from '../orders/claimHrefs'
import { OrderPage } from '../orders/OrderPage'
import { ApplicationDone } from './ApplicationDone'
import { type Pickup, PickupFields, pickupAt, pickupBody, pickupErrors } from './PickupFields'
import { NO_REASON, OTHER, type Reason, ReasonFields, reasonError, reasonText } from './ReasonFields'
import { useIdempotentSend } from './useIdempotentSend'

export function ReturnApplicationPage() {
  return <OrderPage title="반품 신청">{(order) => <ReturnApplication key={order._id} order={order} />}</OrderPage>
}

const PREVIEW = '/api/v1/me/purchases/{purchaseNo}/return/preview'
const CONFLICT = 409

function ReturnApplication({ order }: { order: OrderDetail }) {
  const [params] = useSearchParams()
  const orderHref = useOrderHref(order._id)
  const [done, setDone] = useState<OrderDetail>()
  /** The claims there were before this application. */
  const [before] = useState(() => new Set(order.claims.map(({ _id }) => _id)))
  if (done)
    return (
      <ApplicationDone
        title="반품을 신청했습니다"
        order={done}
        claims={done.claims.filter(({ _id }) => !before.has(_id))}
      />
    )
  const lines = order.purchases.filter(({ nextActions }) => nextActions.includes('requestReturn'))
  const named = params.get('purchase')
  const line = named ? lines.find(({ purchaseNo }) => purchaseNo === named) : lines.length === 1 ? lines[0] : undefined
  if (line) return <ReturnForm key={line.purchaseNo} order={order} line={line} onDone={setDone} />
  if (lines.length === 0)
    return (
      <EmptyState
        title="반품을 신청할 수 있는 상품이 없습니다"
        text="발송된 뒤부터 구매를 확정하기 전까지 신청할 수 있습니다."
        action={<ButtonLink to={orderHref}>주문 상세</ButtonLink>}
      />
    )
  return (
    <Card title="반품할 상품을 선택해 주세요" className="mt-6">
      <ul className="divide-y divide-line">
        {lines.map((one) => (
          <li key={one.purchaseNo} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <span>{goodsText(one)}</span>
            <ButtonLink
              to={applicationHref('RETURN', order._id, one.purchaseNo)}
              size="sm"
              variant="outline"
              aria-label={`${one.name} 반품신청`}
            >
              반품신청
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type ReturnValues = Reason & { quantity: number; fault: Fault | ''; pickup: Pickup }

/** Whose fault it is: the reason says it, or the buyer for words of their own. */
const faultOf = ({ choice, fault }: Pick<ReturnValues, 'choice' | 'fault'>): Fault | undefined =>
  choice === OTHER ? fault || undefined : (reasons.find(({ text }) => text === choice)?.fault as Fault | undefined)

const FAULTS = [
  {
    value: 'BUYER',
    label: '제 사정으로 반품해요',
    text: '반품 배송비를 구매자가 부담합니다.',
  },
  {
    value: 'SELLER',
    label: '상품이나 배송에 문제가 있어요',
    text: '반품 배송비를 판매자가 부담합니다. 상품을 확인한 결과에 따라 바뀔 수 있습니다.',
  },
] as const

type ReturnFormProps = { order: OrderDetail; line: PurchaseRow; onDone: (order: OrderDetail) => void }

function ReturnForm({ order, line, onDone }: ReturnFormProps) {
  const queryClient = useQueryClient()
  const orderHref = useOrderHref(order._id)
  const sendOnce = useIdempotentSend()
  const [values, setValues] = useState<ReturnValues>(() => ({
    ...NO_REASON,
    quantity: line.quantity,
    fault: '',
    pickup: pickupAt(order.receiver),
  }))
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
    initial: values,
    store: [values, (part) => setValues((now) => ({ ...now, ...part }))],
    check: (now) => ({
      reason: reasonError(now),
      fault: now.choice === OTHER && !now.fault ? '누구의 사정인지 선택해 주세요.' : undefined,
      ...pickupErrors(now.pickup),
    }),
    fields: ['quantity', 'pickup.address2'],
    send: (now) => {
      const body = { quantity, reason: reasonText(now), fault, pickup: pickupBody(now.pickup), shown }
      return sendOnce(body, (key) =>
        call('POST', '/api/v1/me/purchases/{purchaseNo}/return', { path, headers: { ...headers, ...key }, body }),
      ).catch((thrown: unknown) => {
        // What can be returned, or what it gives back, is not what it was.
        if (toApiError(thrown).status === CONFLICT) void Promise.all([preview.refetch(), invalidateOrders(queryClient)])
        throw thrown
      })
    },
    onSent: ({ order: after }) => {
      onDone(after)
      void invalidateOrders(queryClient)
    },
  })
  return (
    <form {...form.formProps} className="mt-6 grid gap-5">
      <Card title="반품할 상품">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Picture src={line.thumb} alt="" sizes="56px" className="w-14 shrink-0" />
          <p className="min-w-0 flex-1 basis-44">
            <span className="block font-medium leading-snug">{line.name}</span>
            <span className="block text-ink-3 text-sm">
              {[line.optionName, `${line.quantity}개`].filter(Boolean).join(' · ')}
            </span>
          </p>
          {line.quantity > 1 && (
            <NumberStepper
              label="반품할 수량"
              value={quantity}
              max={line.quantity}
              onValueChange={(count) => form.set({ quantity: count })}
            />
          )}
        </div>
        {form.errors.quantity && (
          <p role="alert" className="mt-2 text-danger text-sm">
            {form.errors.quantity}
          </p>
        )}
      </Card>
      <Card title="반품 사유">
        <ReasonFields
          legend="반품 사유"
          reasons={reasons.map(({ text }) => text)}
          value={form.values}
          onValueChange={form.set}
          error={form.errors.reason}
        />
        {values.choice === OTHER && (
          <RadioGroup
            legend="누구의 사정인가요?"
            look="card"
            options={FAULTS}
            value={values.fault || undefined}
            onValueChange={(chosen) => form.set({ fault: chosen })}
            error={form.errors.fault}
            className="mt-5"
          />
        )}
        <p className="mt-5 text-ink-3 text-sm">
          반품은 상품을 받은 날부터 7일 안에 신청할 수 있습니다. 상품에 하자가 있거나 표시·광고와 다르면 받은 날부터
          3개월, 그 사실을 안 날부터 30일 안에 신청할 수 있습니다.
        </p>
      </Card>
      <PickupFields
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
      <FormError>{form.errors.form ?? (values.choice === OTHER ? undefined : form.errors.fault)}</FormError>
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
