// Actions of an unpaid order: pay by another method, order again, or move its goods back to the cart.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import { idempotent, useIdempotencyKey } from '../../api/idempotency'
import { invalidator, useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'
import type { OrderDetail, PayMethod } from '../../api/types'
import { ko } from '../../i18n/ko'
import { payMethodWords } from '../../i18n/payMethodWords'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { confirmDialog } from '../../ui/confirm'
import { Select } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { invalidateCart } from '../cart/api'
import { addToGuestCart, guestCart } from '../cart/guestCart'
import { cartWords } from '../cart/words'
import { PAY_CONFIG, payOrder } from '../payment/api'
import { type Checkout, startCheckout } from './checkoutSession'

/** Payment methods without further input. A virtual account needs the buyer's refund account, which the checkout form asks for. */
const OTHER_WAYS: readonly PayMethod[] = ['card', 'bank', 'cellphone']

const invalidateOrders = invalidator(['/api/v1/me/orders', '/api/v1/me/orders/{id}'])

/** Where the order's items go. */
type ReorderTarget = 'cart' | 'sheet'

const QUESTIONS: Record<ReorderTarget, { title: string; text: string; yes: string }> = {
  cart: {
    title: '상품을 장바구니에 다시 담을까요?',
    text: '이 주문은 취소되고, 쓴 쿠폰과 적립금은 돌아갑니다.',
    yes: '다시 담기',
  },
  sheet: {
    title: '주문 내용을 바꿀까요?',
    text: '이 주문은 취소되고, 같은 상품과 배송지로 주문서를 다시 엽니다.',
    yes: '주문서 열기',
  },
}

export function UnpaidOrder({ order, className }: { order: OrderDetail; className?: string }) {
  const { data } = useApiQuery(PAY_CONFIG, {}, { staleTime: Number.POSITIVE_INFINITY })
  const mayPay = order.nextActions.includes('pay')
  const mayCancel = order.nextActions.includes('cancel')
  if (order.status !== 'ORDER_NONPAYMENT' || !mayCancel) return null
  const methods = OTHER_WAYS.filter((method) => method !== order.paymentMethod && data?.config.methods.includes(method))
  return (
    <Card title="다른 방법" className={className}>
      <div className="grid gap-5">
        {mayPay && methods.length > 0 && <OtherMethod order={order} methods={methods} />}
        <BackIntoCart order={order} />
      </div>
    </Card>
  )
}

function OtherMethod({ order, methods }: { order: OrderDetail; methods: readonly PayMethod[] }) {
  const [method, setMethod] = useState(methods[0])
  const label = useId()
  const pay = useMutation({ mutationFn: () => payOrder(order._id, method), meta: { suppressToast: true } })
  return (
    <div>
      <label htmlFor={label} className="mb-2 block font-medium text-sm">
        다른 결제수단
      </label>
      <div className="flex gap-2">
        <Select
          id={label}
          className="min-w-0 flex-1"
          value={method}
          options={methods.map((value) => ({ value, label: payMethodWords[value] }))}
          onChange={(event) => setMethod(event.target.value as PayMethod)}
        />
        <Button variant="outline" busy={pay.isPending} onClick={() => pay.mutate()}>
          이 수단으로 결제
        </Button>
      </div>
      {pay.error && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {toApiError(pay.error).told}
        </p>
      )}
    </div>
  )
}

function BackIntoCart({ order }: { order: OrderDetail }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const loggedIn = useLoggedIn()
  const [key, renew] = useIdempotencyKey()
  const back = useMutation({
    meta: { suppressToast: true },
    mutationFn: (_: ReorderTarget) =>
      call('POST', '/api/v1/me/orders/{id}/cart', {
        path: { id: order._id },
        headers: { ...guestOrderHeaders(order._id), ...idempotent(key) },
      }),
    onSuccess: async ({ _carts }, way) => {
      renew()
      if (!loggedIn) putBack(order)
      void Promise.all([invalidateCart(queryClient), invalidateOrders(queryClient)])
      if (way === 'sheet') startCheckout(basketOf(order, loggedIn ? _carts : undefined))
      else void toast(cartWords.added, { tone: 'success' })
      await navigate(way === 'sheet' ? '/shop/order' : loggedIn ? '/cart' : '/shop/cart')
    },
    onError: (thrown) => {
      // Without a response the command may have run: the retry reuses the key.
      if (toApiError(thrown).status !== 0) renew()
    },
  })
  const start = async (way: ReorderTarget) => {
    if (await confirmDialog({ ...QUESTIONS[way], no: ko.action.close })) back.mutate(way)
  }
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" busy={back.isPending} onClick={() => void start('sheet')}>
          주문 내용 변경
        </Button>
        <Button variant="outline" busy={back.isPending} onClick={() => void start('cart')}>
          장바구니에 다시 담기
        </Button>
      </div>
      {back.error && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {toApiError(back.error).told}
        </p>
      )}
    </div>
  )
}

const wishes = (order: OrderDetail) =>
  order.purchases.map(({ _product, _option, quantity }) => ({ _product, _option: _option ?? undefined, quantity }))

/** A guest's cart is in this browser. */
function putBack({ purchases }: OrderDetail): void {
  for (const { _product, _option, quantity, name, optionName, thumb, unitPrice } of purchases)
    addToGuestCart({
      _product,
      _option: _option ?? undefined,
      quantity,
      note: { name, optionName: optionName ?? undefined, thumb: thumb ?? undefined, unitPrice },
    })
}

function basketOf(order: OrderDetail, carts: string[] | undefined): Checkout {
  const people = { sender: order.sender, receiver: order.receiver, message: order.requestMessage }
  return carts ? { carts, people } : { lines: wishes(order), guestCart: guestCart(), people }
}
