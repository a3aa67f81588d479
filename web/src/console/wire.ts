// What the console reads from the server, as the HTTP contract names it. Amounts are whole hundredths.

export type ListAnswer = { summary: { totalCount: number } }

/** What the server says a reader may do next (`nextActions`); buyers' actions never reach the console. */
export type Action =
  | 'prepare'
  | 'ship'
  | 'correctInvoice'
  | 'delay'
  | 'deliver'
  | 'cancel'
  | 'approveCancel'
  | 'rejectCancel'

export type Purchase = {
  purchaseNo: string
  _product: string
  name: string
  optionName?: string | null
  code: string
  thumb?: string | null
  quantity: number
  unitPrice: number
  paid: number
  orderStatus: string
  claimStatus?: string | null
  purchaseStatus?: string | null
  collectionStatus?: string | null
  statusText: string
  seller: { _id: string; nickname?: string | null }
  courier?: string | null
  invoiceNo?: string | null
  trackingUrl?: string | null
  confirmOn?: string | null
  claim?: { _id: string; reason: string } | null
  nextActions: string[]
}

/** A row of the console's list of purchases. */
export type PurchaseInList = Purchase & {
  _order: string
  orderNo: string
  createdAt: string
  paidAt?: string | null
  buyerName?: string | null
  receiverName?: string | null
  payable: number
}

export type PurchasesAnswer = ListAnswer & { purchases: PurchaseInList[] }

export type Party = {
  name: string
  phone: string
  email?: string | null
  postcode?: string | null
  address1?: string | null
  address2?: string | null
}

export type Totals = {
  goods: number
  productDiscount: number
  levelDiscount: number
  productCoupon: number
  fares: number
  fareCoupon: number
  totalCoupon: number
  points: number
  payable: number
  tax: number
}

export type Payment = {
  _id: string
  attempt: number
  method: string
  status: string
  amount: number
  refunded: number
  approvedAt?: string | null
  receiptUrl?: string | null
}

export type Order = {
  _id: string
  orderNo: string
  createdAt: string
  status: string
  statusText: string
  payable: number
  payBy: string
  paymentMethod: string
  purchases: Purchase[]
  nextActions: string[]
  sender?: Party | null
  receiver?: Party | null
  requestMessage?: string | null
  fares: { name: string; purchaseNos: string[]; fare: number; islandFee: number; serviceFee: number; paid: number }[]
  coupons: { _issued: string; name: string; stage: string; purchaseNo?: string | null; amount: number }[]
  totals: Totals
  payments: Payment[]
  version: number
  position: number
}

export type OrderAnswer = { order: Order }

/** One thing that happened, as a history tells it. */
export type HistoryEvent = {
  position: number
  at: string
  recordedAt: string
  eventId?: string
  stream: { kind: string; id: string }
  version: number
  type: string
  title: string
  actor?: { kind: string; id?: string; name?: string } | null
  reason?: string | null
  command?: string | null
  commandId?: string | null
  correlationId?: string | null
  causationId?: string | null
  /** Of ledgers: what the event says, personal fields masked. */
  data?: unknown
  /** Of records: what it changed, and the record after it. */
  changes?: Record<string, { from: unknown; to: unknown }>
  document?: Record<string, unknown>
}

export type HistoryAnswer = { events: HistoryEvent[] }
