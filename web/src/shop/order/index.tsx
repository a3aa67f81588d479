// The order sheet, in the order Korean shops have it: goods, who orders, where to, coupons and points, how to pay, the sum, terms.
import { useState } from 'react'
import { Navigate } from 'react-router'
import { call } from '../../api/client'
import { type ApiError, toApiError } from '../../api/errors'
import { useApiQuery } from '../../api/query'
import { useLoggedIn } from '../../api/session'
import type { Destination, MyInfo } from '../../api/types'
import { useForm } from '../../features/forms/useForm'
import { type Checkout, type CheckoutParties, placedOrder, readCheckout } from '../../features/orders/checkoutSession'
import { usePreview } from '../../features/orders/usePreview'
import { loginPath } from '../../lib/loginRedirect'
import { formatMoney } from '../../lib/money'
import { digits } from '../../lib/phone'
import { Button, ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { Agreements } from './Agreements'
import {
  type CheckoutForm,
  CUSTOM_MESSAGE,
  checkoutErrors,
  EMPTY_FORM,
  fromDestination,
  fromParty,
  MESSAGES,
  orderForm,
  priceForm,
} from './checkoutForm'
import { CouponSection, PointsSection } from './DiscountSection'
import { isShort, OrderItems } from './OrderItems'
import { PaymentMethodSection, TotalsSection } from './PaymentSection'
import { PositionPart } from './Position'
import { ReceiverSection, SenderSection } from './SenderReceiverForm'
import { useCheckoutDraft } from './useCheckoutDraft'
import { orderedElsewhere, type PlaceOrderError, placeOrderError, usePlaceOrder } from './usePlaceOrder'

export function Component() {
  // Read once: placing the order changes it under our feet.
  const [basket] = useState(readCheckout)
  const [placed] = useState(placedOrder)
  // Back out of the payment window, most likely; the server knows whether something was paid in it.
  if (placed) return <Navigate to={`/shop/result?order=${placed}&error=window_closed`} replace />
  return (
    <main id="content" className="shell py-8 max-md:pb-28 md:py-12">
      <h1 className="font-extrabold text-3xl">주문서</h1>
      {basket ? (
        <OrderSheet basket={basket} />
      ) : (
        <EmptyState
          title="주문할 상품이 없습니다"
          text="장바구니에서 상품을 선택해 주문해 주세요."
          action={<CartLink />}
        />
      )}
    </main>
  )
}

/** What the server may refuse at its place, by the request's names. */
const FIELDS = [
  ...['sender.name', 'sender.phone', 'sender.email'],
  ...['receiver.name', 'receiver.phone', 'receiver.postcode', 'receiver.address1', 'receiver.address2'],
  ...['receiver.geolocation', 'paymentMethod', 'depositor', 'cashReceipt.phone', 'requestMessage', 'point', '_terms'],
]

const useCartHref = (): string => (useLoggedIn() ? '/cart' : '/shop/cart')
function CartLink() {
  return <ButtonLink to={useCartHref()}>장바구니로 가기</ButtonLink>
}

function OrderSheet({ basket }: { basket: Checkout }) {
  const guest = !useLoggedIn()
  const me = useApiQuery('/api/v1/me/info', {}, { enabled: !guest })
  const book = useApiQuery('/api/v1/me/destinations', {}, { enabled: !guest, retry: false })
  const [typed, change] = useCheckoutDraft(basket)
  const sheet: CheckoutForm = { ...filledIn(me.data, book.data?.destinations, basket.people), ...typed }

  // The default address is a part of the price: asked for without it, the price would be asked for twice.
  const preview = usePreview(priceForm(basket, sheet), { enabled: guest || !book.isPending })
  const priced = preview.data
  const settling = preview.isFetching
  const free = priced?.quote.totals.payable === 0

  const cartHref = useCartHref()
  const place = usePlaceOrder((error) => dropRefused(error, change))
  const order = useForm<CheckoutForm, void>({
    initial: sheet,
    store: [sheet, change],
    check: (values) => checkoutErrors(values, { guest, free }),
    fields: FIELDS,
    disabled: !priced || settling,
    send: async (values) => {
      if (!priced) return
      await place({
        basket,
        form: orderForm(basket, values, priced),
        afterwards: values.saveDestination && !guest ? () => saveDestination(values) : undefined,
      })
    },
    refused: (error) => (error.fields.length === 0 ? {} : undefined),
  })
  const { errors, refusal } = order

  if (!priced) {
    const unplaced = preview.error ? toApiError(preview.error).byField()['receiver.geolocation'] : undefined
    if (unplaced)
      return (
        <div className="mt-6 grid gap-5">
          <PositionPart sheet={sheet} change={change} wrong={unplaced} />
          <p className="flex justify-center">
            <CartLink />
          </p>
        </div>
      )
    const ordered = preview.error ? orderedElsewhere(toApiError(preview.error), guest) : undefined
    if (ordered)
      return (
        <EmptyState
          title="이미 주문한 장바구니입니다"
          text={ordered.text}
          action={
            <>
              {ordered.to && <ButtonLink to={ordered.to.href}>{ordered.to.label}</ButtonLink>}
              <CartLink />
            </>
          }
        />
      )
    if (preview.error)
      return (
        <>
          <ErrorState error={preview.error} title="주문할 수 없습니다" onRetry={() => void preview.refetch()} />
          <p className="-mt-8 flex justify-center">
            <CartLink />
          </p>
        </>
      )
    return (
      <Loading className="mt-8 grid gap-5 md:grid-cols-[1fr_22rem] md:gap-10">
        <div className="grid gap-5">
          <Skeleton className="h-40 rounded-lg" />
          <Skeleton className="h-56 rounded-lg" />
          <Skeleton className="h-80 rounded-lg" />
        </div>
        <Skeleton className="h-72 rounded-lg" />
      </Loading>
    )
  }

  const part = { sheet, change, errors }
  const short = isShort(priced)
  const failed = preview.error && !settling ? toApiError(preview.error) : undefined
  const trouble = refusal && placeOrderError(refusal, cartHref, guest)
  const unnamed: PlaceOrderError | undefined = errors.form ? { text: errors.form } : undefined
  const wrong = trouble ?? unnamed ?? (failed && (orderedElsewhere(failed, guest) ?? { text: failed.message }))
  return (
    <form {...order.formProps} className="mt-6 md:grid md:grid-cols-[1fr_22rem] md:items-start md:gap-10">
      <div className="grid gap-5">
        {guest && (
          <p className="text-ink-2">
            회원이신가요?{' '}
            <Link to={loginPath('/shop/order')} className="tap font-semibold text-ink underline underline-offset-4">
              로그인
            </Link>
            하면 쿠폰과 적립금을 사용할 수 있습니다.
          </p>
        )}
        <OrderItems preview={priced} />
        <SenderSection {...part} guest={guest} />
        <ReceiverSection {...part} destinations={guest ? undefined : book.data?.destinations} />
        {priced.quote.fares.some((fare) => fare.chargeType === 'travel-range') && (
          <PositionPart sheet={sheet} change={change} wrong={errors['receiver.geolocation']} />
        )}
        {!guest && (
          <>
            <CouponSection {...part} preview={priced} settling={settling} />
            <PointsSection {...part} preview={priced} />
          </>
        )}
        <PaymentMethodSection {...part} free={free} />
      </div>
      <aside
        aria-label="결제금액"
        className="mt-5 rounded-lg border border-line bg-raised p-5 md:sticky md:top-36 md:mt-0 md:p-6"
      >
        <h2 className="mb-4 font-bold text-lg">결제금액</h2>
        <TotalsSection preview={priced} settling={settling} />
        <Agreements {...part} />
        {wrong && (
          <div
            role="alert"
            tabIndex={-1}
            data-form-error
            className="mt-5 rounded-md bg-danger-soft px-4 py-3 text-danger text-sm focus:outline-none"
          >
            <p>{wrong.text}</p>
            {wrong.to && (
              <Link to={wrong.to.href} className="mt-1 inline-block font-semibold underline underline-offset-2">
                {wrong.to.label}
              </Link>
            )}
          </div>
        )}
        <div className="max-md:fixed max-md:inset-x-0 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] max-md:z-20 max-md:border-line max-md:border-t max-md:bg-paper max-md:px-5 max-md:py-2.5 md:mt-5">
          <Button
            type="submit"
            variant="accent"
            size="lg"
            block
            busy={settling || order.isPending}
            disabled={short || failed !== undefined}
          >
            {short
              ? '재고가 부족한 상품이 있습니다'
              : free
                ? '주문하기'
                : `${formatMoney(priced.quote.totals.payable)} 결제하기`}
          </Button>
        </div>
      </aside>
    </form>
  )
}

/** Prefilled values: the member as sender, the default address, or the parties of the order that is repeated. */
function filledIn(
  me: MyInfo | undefined,
  book: readonly Destination[] | undefined,
  { sender, receiver, message }: CheckoutParties = {},
): CheckoutForm {
  const to = book?.find((one) => one.isDefault) ?? book?.[0]
  const from = sender ?? me?.user
  return {
    ...EMPTY_FORM,
    sender: { name: from?.name ?? '', phone: from?.phone ?? '', email: from?.email ?? '' },
    receiver: receiver ? fromParty(receiver) : to ? fromDestination(to) : EMPTY_FORM.receiver,
    ...(message ? { message: MESSAGES.includes(message) ? message : CUSTOM_MESSAGE, ownMessage: message } : {}),
  }
}

const COUPON_REFUSALS = ['coupon_used_up', 'coupon_used', 'coupon_expired', 'coupon_not_applicable']

/** Takes what the server refused out of the sheet, so that the next press can succeed. */
function dropRefused({ code }: ApiError, change: (part: Partial<CheckoutForm>) => void): void {
  if (COUPON_REFUSALS.includes(code)) change({ productCoupons: {}, fareCoupons: {}, totalCoupon: '' })
  if (code === 'points_short') change({ point: 0 })
}

const saveDestination = ({ receiver, same, sender }: CheckoutForm): Promise<unknown> =>
  call('POST', '/api/v1/me/destinations', {
    body: {
      ...receiver,
      ...(same ? { name: sender.name } : {}),
      phone: digits(same ? sender.phone : receiver.phone),
      title: same ? sender.name : receiver.name,
      isDefault: false,
    },
  })
