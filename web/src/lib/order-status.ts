// The one status text of a purchase that people read (spec V106-V109), and the colour that goes with it.
import { ko } from '../i18n/ko'

/** The codes a purchase carries. A claim that does not exist is absent, null or `NONE`. */
export type PurchaseStatuses = {
  orderStatus: string
  claimStatus?: string | null
  purchaseStatus?: string | null
}

/** How a status looks: quiet (nothing to do), busy (moving), good, warning (someone waits), bad. */
export type Tone = 'quiet' | 'busy' | 'good' | 'warning' | 'bad'

const word = (table: Record<string, string>, code: string): string => table[code] ?? code
const openClaim = (code: string | null | undefined): string | undefined => (code && code !== 'NONE' ? code : undefined)

/** Purchase-confirmed wins; a rejected claim shows both messages joined by a slash; another claim its own; else the order's. */
export function statusText({ orderStatus, claimStatus, purchaseStatus }: PurchaseStatuses): string {
  if (purchaseStatus === 'PURCHASE_COMPLETE') return ko.purchaseStatus.PURCHASE_COMPLETE
  const order = word(ko.orderStatus, orderStatus)
  const claim = openClaim(claimStatus)
  if (!claim) return order
  const message = word(ko.claimStatus, claim)
  return claim.endsWith('_REJECTED') ? `${order} / ${message}` : message
}

const orderTones: Record<string, Tone> = {
  ORDER_NONPAYMENT: 'warning',
  ORDER_CANCELED: 'quiet',
  ORDER_PAYMENT: 'busy',
  ORDER_CONFIRM: 'busy',
  SHIPPING_CONFIRM: 'busy',
  SHIPPING_DELAYED: 'warning',
  DELIVERY_COMPLETE: 'good',
}

/** The tone of {@link statusText}. */
export function statusTone({ orderStatus, claimStatus, purchaseStatus }: PurchaseStatuses): Tone {
  if (purchaseStatus === 'PURCHASE_COMPLETE') return 'good'
  const claim = openClaim(claimStatus)
  if (!claim) return orderTones[orderStatus] ?? 'quiet'
  if (claim.endsWith('_COMPLETED')) return 'quiet'
  return claim.endsWith('_REJECTED') ? 'bad' : 'warning'
}
