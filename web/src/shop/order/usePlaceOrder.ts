// Places the order, opens the payment window, and says what to do about a refusal.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../../api/client'
import { type ApiError, toApiError } from '../../api/errors'
import { storeGuestOrder } from '../../api/guestOrders'
import { idempotent, useIdempotencyKey } from '../../api/idempotency'
import type { OrderForm, Preview, Quote } from '../../api/types'
import { invalidateCart } from '../../features/cart/api'
import { renewGuestCart, setGuestQuantity } from '../../features/cart/guestCart'
import { type Checkout, completeCheckout } from '../../features/orders/checkoutSession'
import { PREVIEW } from '../../features/orders/usePreview'
import { openPayWindow, payOrder } from '../../features/payment/api'
import { formatMoney } from '../../lib/money'
import { clearCheckoutDraft } from './useCheckoutDraft'

/** What to tell, and where to go about it. */
export type PlaceOrderError = { text: string; to?: { href: string; label: string } }

type PlaceOrderOptions = {
  basket: Checkout
  form: OrderForm
  afterwards?: () => Promise<unknown>
}

const quoteIn = (details: unknown): Quote | undefined =>
  typeof details === 'object' && details !== null && 'quote' in details ? (details.quote as Quote) : undefined

/** What to tell when another window ordered the cart, and the way to that order; undefined for any other refusal. */
export function orderedElsewhere({ code, message, details }: ApiError, guest: boolean): PlaceOrderError | undefined {
  if (code !== 'cart_ordered') return undefined
  const { _order } = (details ?? {}) as { _order?: string }
  const page = guest ? '/shop/lookup' : '/mypage/orders-detail'
  return { text: message, to: _order ? { href: `${page}?order=${_order}`, label: '주문 보기' } : undefined }
}

/** What to tell about a refused order as a whole; undefined when the refusal names fields, or was shown already. */
export function placeOrderError(error: ApiError, cartHref: string, guest: boolean): PlaceOrderError | undefined {
  if (error.fields.length > 0 || error.alerted) return undefined
  const ordered = orderedElsewhere(error, guest)
  if (ordered) return ordered
  const cart = { href: cartHref, label: '장바구니로 가기' }
  switch (error.code) {
    case 'not_found':
      return { text: '주문하던 상품이 장바구니에 없습니다. 다른 창에서 주문했거나 삭제한 상품입니다.', to: cart }
    case 'cart_changed':
      return { text: error.message, to: cart }
    case 'sold_out':
    case 'not_on_sale':
      return { text: `${error.message} 상품을 빼거나 수량을 줄인 뒤 다시 주문해 주세요.`, to: cart }
    case 'coupon_used_up':
    case 'coupon_used':
    case 'coupon_expired':
    case 'coupon_not_applicable':
      return { text: `${error.message} 쿠폰을 제외한 금액으로 변경되었습니다. 확인하고 다시 눌러 주세요.` }
    case 'points_short':
      return { text: `${error.message} 적립금을 다시 입력해 주세요.` }
    case 'price_changed': {
      const payable = quoteIn(error.details)?.totals.payable
      const amount = payable === undefined ? '' : ` 새 결제금액은 ${formatMoney(payable)}입니다.`
      return { text: `그사이 결제금액이 변경되었습니다.${amount} 확인하고 다시 눌러 주세요.` }
    }
    default:
      return { text: error.message }
  }
}

/** Places the order and opens the payment window. A retry of the same order after a lost answer is the same command. */
export function usePlaceOrder(onRefused: (error: ApiError) => void): (order: PlaceOrderOptions) => Promise<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [key, renew] = useIdempotencyKey()

  const place = async ({ basket, form, afterwards }: PlaceOrderOptions): Promise<void> => {
    const { order, guestToken, payment } = await call('POST', '/api/v1/shop/orders', {
      query: { startPayment: true },
      body: form,
      headers: idempotent(key),
    })
    if (guestToken) storeGuestOrder(order._id, guestToken)
    completeCheckout(order._id)
    clearCheckoutDraft()
    if ('lines' in basket && basket.guestCart) {
      for (const line of basket.lines) setGuestQuantity(line, 0)
      renewGuestCart(basket.guestCart)
    }
    await afterwards?.().catch(() => undefined)
    const readCart = () => void invalidateCart(queryClient)
    const result = `/shop/result?order=${order._id}`
    if (order.payable > 0) {
      // From here on the order stands: a window that does not open is no reason to lose it.
      const leaving = payment ? openPayWindow(order._id, payment) : payOrder(order._id, form.paymentMethod)
      await leaving.catch((thrown: unknown) => {
        readCart()
        return navigate(`${result}&error=${toApiError(thrown).code}`, { replace: true })
      })
    } else {
      readCart()
      await navigate(result, { replace: true })
    }
  }

  return async (order) => {
    try {
      await place(order)
    } catch (thrown) {
      const { basket } = order
      const error = toApiError(thrown)
      // This window may not have heard of its order: what it orders next is of another cart.
      if (error.code === 'cart_ordered' && 'lines' in basket && basket.guestCart) renewGuestCart(basket.guestCart)
      // Without an answer the order may have been placed: the same key asks again for the same one.
      if (error.status !== 0) renew()
      const quote = quoteIn(error.details)
      if (quote)
        queryClient.setQueriesData<Preview>(
          { queryKey: ['post', PREVIEW], type: 'active' },
          (now) => now && { ...now, quote },
        )
      else if (error.status === 409) void queryClient.invalidateQueries({ queryKey: ['post', PREVIEW] })
      onRefused(error)
      throw error
    }
  }
}
