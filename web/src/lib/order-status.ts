// The tone of a purchase's status. The texts are the server's (`statusText`).

/** The status codes of a purchase. A missing claim is absent, null or `NONE`. */
export type PurchaseStatuses = {
  orderStatus: string
  claimStatus?: string | null
  purchaseStatus?: string | null
}

/** The tone of a status: quiet (nothing to do), busy (in progress), good, warning (action needed), bad. */
export type Tone = 'quiet' | 'busy' | 'good' | 'warning' | 'bad'

const openClaim = (code: string | null | undefined): string | undefined => (code && code !== 'NONE' ? code : undefined)

const orderTones: Record<string, Tone> = {
  ORDER_NONPAYMENT: 'warning',
  ORDER_CANCELED: 'quiet',
  ORDER_PAYMENT: 'busy',
  ORDER_CONFIRM: 'busy',
  SHIPPING_CONFIRM: 'busy',
  SHIPPING_DELAYED: 'warning',
  DELIVERY_COMPLETE: 'good',
}

/** The tone for a purchase's `statusText`: purchase-confirmed takes precedence, then a claim, then the order's (spec V106-V109). */
export function statusTone({ orderStatus, claimStatus, purchaseStatus }: PurchaseStatuses): Tone {
  if (purchaseStatus === 'PURCHASE_COMPLETE') return 'good'
  const claim = openClaim(claimStatus)
  if (!claim) return orderTones[orderStatus] ?? 'quiet'
  if (claim.endsWith('_COMPLETED')) return 'quiet'
  return claim.endsWith('_REJECTED') ? 'bad' : 'warning'
}
