// The differences between two states of an order, with labels and formatted values.
import { claimStateText, feeStateText } from '../../features/claims/words'
import { statusWords } from '../../i18n/statusWords'
import { formatDate } from '../../lib/date'
import { formatMoney } from '../../lib/money'
import { formatPhone } from '../../lib/phone'
import type { Claim, Order } from '../types'
import { orderWords, paymentName } from './words'

/** A value at a path of the order, such as `purchases.250301-1.orderStatus`. */
export type Change = { path: string; label: string; from: string; to: string }

type FormattedValue = { label: string; text: string }

const o = orderWords
const labels: Record<string, string> = {
  ...statusWords.orderStatus,
  ...statusWords.claimStatus,
  ...statusWords.purchaseStatus,
  ...statusWords.collectionStatus,
  NONE: '-',
}
const word = (code: string | null | undefined): string => (code ? (labels[code] ?? code) : '-')

/** Receiver and address: staff may correct all of it. */
const receiverText = (to: Order['receiver']): string =>
  to ? [to.name, formatPhone(to.phone), to.address1, to.address2].filter(Boolean).join(' ') : '-'

/** Everything an order page shows that events can change, by path. */
export function flattenOrder(order: Order): Map<string, FormattedValue> {
  const found = new Map<string, FormattedValue>()
  const put = (path: string, label: string, text: string) => found.set(path, { label, text })
  put('payable', o.payable, formatMoney(order.payable))
  put('sender', o.sender, order.sender ? order.sender.name : '-')
  put('receiver', o.receiver, receiverText(order.receiver))
  put('remark', o.note.title, order.remark ?? '-')
  for (const purchase of order.purchases) {
    const at = (field: string) => `purchases.${purchase.purchaseNo}.${field}`
    const of = (label: string) => `${purchase.purchaseNo} ${label}`
    put(at('orderStatus'), of('진행'), word(purchase.orderStatus))
    put(at('claimStatus'), of('클레임'), word(purchase.claimStatus))
    put(at('purchaseStatus'), of('구매'), word(purchase.purchaseStatus))
    put(at('collectionStatus'), of('수거'), word(purchase.collectionStatus))
    put(
      at('invoice'),
      of('송장'),
      purchase.invoiceNo ? [purchase.courier, purchase.invoiceNo].filter(Boolean).join(' ') : '-',
    )
    put(at('confirmOn'), of('자동 구매확정'), purchase.confirmOn ? formatDate(purchase.confirmOn) : '-')
    put(at('claim'), of('클레임 사유'), purchase.claim?.reason ?? '-')
  }
  for (const claim of order.claims) {
    const at = (field: string) => `claims.${claim._id}.${field}`
    const of = (label: string) => `${claim.purchaseNos.join(', ')} ${label}`
    const parcel = (one: Claim['invoice']) => [one?.courier, one?.invoiceNo].filter(Boolean).join(' ') || '-'
    put(at('state'), of(o.claims), claimStateText(order, claim))
    put(at('refund'), of(o.refunded), claim.refund ? formatMoney(claim.refund.money) : '-')
    put(at('invoice'), of(o.pickupParcel), parcel(claim.invoice))
    put(
      at('inspection'),
      of(o.inspection),
      claim.inspection ? o.inspected(claim.inspection.arrived, claim.inspection.resellable) : '-',
    )
    put(at('sentBack'), of(o.sentBack), parcel(claim.sentBack))
    if (!claim.exchange) continue
    const { fee, invoice } = claim.exchange
    put(at('exchange'), of(o.exchangeFee), fee > 0 ? `${formatMoney(fee)} · ${feeStateText(claim.exchange)}` : '-')
    put(at('replacement'), of(o.replacementParcel), parcel(invoice))
  }
  for (const payment of order.payments) {
    const at = (field: string) => `payments.${payment._id}.${field}`
    const of = (label: string) => `${paymentName(payment)} ${label}`
    put(at('status'), of('상태'), o.paymentStatus[payment.status] ?? payment.status)
    put(at('approvedAt'), of(o.approvedAt), payment.approvedAt ? formatDate(payment.approvedAt, 'second') : '-')
    put(at('refunded'), of(o.refunded), formatMoney(payment.refunded))
  }
  return found
}

/** The changes from one state to the next, in the page's order. */
export function changes(before: Order, after: Order): Change[] {
  const old = flattenOrder(before)
  const next = flattenOrder(after)
  const paths = [...old.keys(), ...[...next.keys()].filter((path) => !old.has(path))]
  return paths.flatMap((path) => {
    const from = old.get(path)?.text ?? '-'
    const to = next.get(path)?.text ?? '-'
    const label = old.get(path)?.label ?? next.get(path)?.label ?? path
    return from === to ? [] : [{ path, label, from, to }]
  })
}
