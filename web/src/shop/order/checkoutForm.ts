// The checkout form as data: its values, their validation, and the request made of them.
import type { CouponChoice, Destination, OrderForm, PayMethod, Preview } from '../../api/types'
import { type Checkout, checkoutLines, type Person } from '../../features/orders/checkoutSession'
import { type Account, accountDigits, bankAccountErrors, NO_ACCOUNT } from '../../features/refunds/BankAccountFields'
import type { Place } from '../../lib/geolocation'
import { digits } from '../../lib/phone'
import * as rules from '../../lib/validators'

export type CheckoutForm = {
  sender: { name: string; phone: string; email: string }
  receiver: { name: string; phone: string; postcode: string; address1: string; address2: string }
  /** Where the goods go, asked for only where a fare goes by distance. */
  position?: Place
  /** The receiver is the sender: name and phone follow. */
  same: boolean
  /** One of {@link MESSAGES}, `OWN` for a text of one's own, or nothing. */
  message: string
  ownMessage: string
  /** By line number: the product coupon used on it. */
  productCoupons: Record<string, string>
  /** By the first line of a parcel: the fare coupon used on it. */
  fareCoupons: Record<string, string>
  totalCoupon: string
  /** Points to use, hundredths. */
  point: number
  /** What is typed as points, until it becomes them; nothing is ordered while it is no amount. */
  pointText?: string
  method: PayMethod
  /** Who pays into a virtual account; empty: the sender. */
  depositor: string
  /** Where a virtual account's money goes if it has to go back. */
  account: Account
  cashReceipt: boolean
  cashReceiptPhone: string
  /** Codes of the terms agreed to. */
  terms: readonly string[]
  saveDestination: boolean
}

export const CUSTOM_MESSAGE = 'OWN'
export const MESSAGES: readonly string[] = [
  '문 앞에 놓아 주세요.',
  '경비실에 맡겨 주세요.',
  '배송 전에 연락해 주세요.',
  '직접 받을게요. 부재 시 전화해 주세요.',
]

/** What has to be agreed to before an order (e-commerce law, articles 8 and 13): codes of terms records, and what one says by it. */
export const TERMS = [
  { code: 'purchase', label: '주문 내용을 확인했으며 구매에 동의합니다' },
  { code: 'privacy', label: '개인정보 수집·이용에 동의합니다' },
  { code: 'privacy-third', label: '판매자에게 개인정보를 제공하는 데 동의합니다' },
] as const

export const EMPTY_FORM: CheckoutForm = {
  sender: { name: '', phone: '', email: '' },
  receiver: { name: '', phone: '', postcode: '', address1: '', address2: '' },
  same: false,
  message: '',
  ownMessage: '',
  productCoupons: {},
  fareCoupons: {},
  totalCoupon: '',
  point: 0,
  method: 'card',
  depositor: '',
  account: NO_ACCOUNT,
  cashReceipt: false,
  cashReceiptPhone: '',
  terms: [],
  saveDestination: false,
}

/** Takes a saved address over. */
export const fromDestination = (to: Destination): CheckoutForm['receiver'] => ({
  name: to.name,
  phone: to.phone,
  postcode: to.postcode,
  address1: to.address1,
  address2: to.address2 ?? '',
})

/** Takes over who got an order. */
export const fromParty = (to: Person): CheckoutForm['receiver'] => ({
  name: to.name,
  phone: to.phone,
  postcode: to.postcode ?? '',
  address1: to.address1 ?? '',
  address2: to.address2 ?? '',
})

const POSTCODE = /^\d{5}$/

/** The receiver with the sender's name and phone where they are the same person. */
export const receiverOf = ({ same, sender, receiver }: CheckoutForm): CheckoutForm['receiver'] =>
  same ? { ...receiver, name: sender.name, phone: sender.phone } : receiver

/** Validation errors by the request's field names, so that the server's errors land at the same fields. */
export function checkoutErrors(
  sheet: CheckoutForm,
  { guest, free }: { guest: boolean; free: boolean },
): Record<string, string> {
  const { sender } = sheet
  const receiver = receiverOf(sheet)
  const found: Record<string, string | undefined> = {
    'sender.name': rules.name(sender.name),
    'sender.phone': rules.phone(sender.phone),
    'sender.email': guest || sender.email.trim() !== '' ? rules.email(sender.email) : undefined,
    'receiver.name': rules.name(receiver.name),
    'receiver.phone': rules.phone(receiver.phone),
    'receiver.postcode': rules.postcode(receiver.postcode),
    'receiver.address1': rules.required('주소를 입력해 주세요.')(receiver.address1),
    point: rules.amount(sheet.pointText ?? ''),
    'cashReceipt.phone': sheet.cashReceipt && !free ? rules.phone(sheet.cashReceiptPhone) : undefined,
    ...(sheet.method === 'vbank' && !free ? bankAccountErrors(sheet.account) : {}),
    _terms: TERMS.every(({ code }) => sheet.terms.includes(code)) ? undefined : '필수 약관에 동의해 주세요.',
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => Boolean(entry[1])))
}

const positionOf = ({ position }: CheckoutForm) => (position ? { geolocation: position } : {})

/** What the price depends on: lines, benefits and the postcode. */
export function priceForm(basket: Checkout, sheet: CheckoutForm): OrderForm {
  const { postcode } = sheet.receiver
  const to = { ...(POSTCODE.test(postcode) ? { postcode } : {}), ...positionOf(sheet) }
  const fareCoupons = Object.entries(sheet.fareCoupons)
  return {
    ...checkoutLines(basket),
    coupons: [
      ...Object.entries(sheet.productCoupons).map(([purchaseNo, _issued]) => ({ _issued, purchaseNo })),
      // one alone works on every parcel it is for, several keep to their own
      ...fareCoupons.map(([purchaseNo, _issued]) => (fareCoupons.length > 1 ? { _issued, purchaseNo } : { _issued })),
      ...[sheet.totalCoupon].filter(Boolean).map((_issued) => ({ _issued })),
    ],
    point: sheet.point,
    receiver: Object.keys(to).length > 0 ? to : undefined,
  }
}

const orNothing = (text: string): string | undefined => text.trim() || undefined

/** The order as it is sent: with everybody in it and the amount the button showed. */
export function orderForm(basket: Checkout, sheet: CheckoutForm, preview: Preview): OrderForm {
  const receiver = receiverOf(sheet)
  const { totals, coupons } = preview.quote
  const form = priceForm(basket, sheet)
  const message = sheet.message === CUSTOM_MESSAGE ? sheet.ownMessage : sheet.message
  const receipt = sheet.cashReceipt && totals.payable > 0
  return {
    ...form,
    // Only what worked: the preview leaves out a coupon that does not apply and cuts points to what is left to pay.
    coupons: form.coupons?.filter((chosen) => coupons.some((used) => used._issued === chosen._issued)),
    point: totals.points,
    sender: { name: sheet.sender.name.trim(), phone: digits(sheet.sender.phone), email: orNothing(sheet.sender.email) },
    receiver: {
      ...receiver,
      ...positionOf(sheet),
      name: receiver.name.trim(),
      phone: digits(receiver.phone),
      address2: orNothing(receiver.address2),
    },
    cashReceipt: receipt ? { enabled: true, phone: digits(sheet.cashReceiptPhone) } : undefined,
    paymentMethod: sheet.method,
    ...(sheet.method === 'vbank' && totals.payable > 0
      ? {
          depositor: orNothing(sheet.depositor),
          account: {
            code: sheet.account.code,
            accountNumber: accountDigits(sheet.account.accountNumber),
            accountHolder: sheet.account.accountHolder.trim(),
          },
        }
      : {}),
    requestMessage: orNothing(message),
    _terms: [...sheet.terms],
    payable: totals.payable,
  }
}

const WHY: Record<string, string> = {
  not_started: '아직 쓸 수 없는 쿠폰',
  ended: '기간이 지난 쿠폰',
  not_combinable: '다른 쿠폰과 함께 쓸 수 없음',
  other_seller: '다른 판매자 상품의 쿠폰',
  other_product: '대상 상품이 아님',
  other_category: '대상 분류가 아님',
  other_display: '대상 진열 상품이 아님',
  for_nothing: '쓸 수 있는 상품이 없는 쿠폰',
  below_minimum: '최소 금액에 못 미침',
  above_maximum: '최대 금액을 넘음',
  terms_invalid: '조건이 맞지 않는 쿠폰',
  purchase_required: '상품을 골라 써야 하는 쿠폰',
  purchase_unknown: '쓸 상품이 없는 쿠폰',
  whole_order_only: '주문 전체에만 쓸 수 있음',
  fare_has_coupon: '이미 쿠폰을 쓴 배송비',
  purchase_has_coupon: '이미 쿠폰을 쓴 상품',
  takes_nothing: '할인할 금액이 없음',
}

/** Undefined when the coupon can be used. */
export const couponUnavailableReason = ({ applicable, why }: CouponChoice): string | undefined =>
  applicable.length > 0 ? undefined : why ? (WHY[why] ?? '쓸 수 없는 쿠폰') : '쓸 수 없는 쿠폰'

/** Chosen coupons that the preview does not apply (not combinable, below the minimum by now), with the reason. */
export function ignoredCoupons(sheet: CheckoutForm, preview: Preview): { name: string; why: string }[] {
  const chosen = [
    ...Object.values(sheet.productCoupons),
    ...Object.values(sheet.fareCoupons),
    sheet.totalCoupon,
  ].filter(Boolean)
  return chosen.flatMap((issued) => {
    if (preview.quote.coupons.some((used) => used._issued === issued)) return []
    const choice = preview.coupons.find((one) => one._issued === issued)
    return choice ? [{ name: choice.name, why: (choice.why && WHY[choice.why]) || '적용할 수 없음' }] : []
  })
}
