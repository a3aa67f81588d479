// What the shopper's calls carry, by name. Amounts are whole hundredths, times RFC 3339, ids UUID text.

export type Summary = { totalCount: number }
export type PictureRef = { url: string; alt?: string | null }
export type Seller = { _id: string; nickname?: string | null }

export type ProductCard = {
  _id: string
  code: string
  name: string
  type: string
  thumb: PictureRef
  price: number
  salePrice: number
  discountPrice: number
  /** Whole percent, rounded down. */
  discountRate: number
  brand?: string | null
  categories: string[]
  seller: Seller
  stock: number
  soldOut: boolean
  sells: number
  flags: string[]
  meta: { likeCount: number; liked?: boolean }
  createdAt: string
  freeShipping: boolean
}

export type ProductOption = {
  _id: string
  hexa?: string | null
  name: string
  value: string
  /** Added to the product's list price. */
  price: number
  salePrice: number
  stock: number
  soldOut: boolean
  enabled: boolean
}

export type ShippingOption = {
  name: string
  method: 'GENERAL' | 'EXPRESS' | 'PICK_UP' | 'COMPANY'
  bundleType: 'piece' | 'bundle'
  chargeType: 'fixed' | 'pay-on-delivery' | 'price-range' | 'travel-range'
  fixedAmount: number
  pricesRange: { price: number; amount: number }[]
  travelRange: { distance: number; amount: number }[]
  island: { isActive: boolean; amount__base: number; amount__jeju: number }
  service: { isActive: boolean; amount: number }
}

export type ProductDetail = ProductCard & {
  desc: string
  /** Sanitised HTML. */
  content: string
  images: PictureRef[]
  optionsConf: { enabled: boolean; sort?: string | null; criteria: string[] }
  options: ProductOption[]
  bundleds: { _product: string; _option?: string | null; name: string; quantity: number }[]
  shipping?: { _id: string; name: string; options: ShippingOption[] } | null
  size?: string | null
  origin?: string | null
  manufacturer?: string | null
  hashtags: string[]
  /** What its seller shows with it. */
  relateds?: ProductCard[]
  sellerCard?: Seller & { productCount: number }
  seo: { title?: string | null }
  version: number
}

/** One thing a list can be narrowed by, and how many it would leave. */
export type Facet = { code: string; name: string; count: number }
export type Facets = { brands: Facet[]; categories: Facet[]; price?: { min: number; max: number } | null }

export type Products = { summary: Summary & { facets?: Facets | null }; products: ProductCard[] }

/** One line somebody wants: a product, or one of its options. */
export type LineWish = { _product: string; _option?: string; quantity: number }

export type CartLine = {
  _id: string
  _product: string
  _option?: string | null
  quantity: number
  /** None: it is no longer for sale. */
  product?: ProductCard | null
  option?: ProductOption | null
  salePrice: number
  soldOut: boolean
  stock: number
}

export type Carts = { summary?: Summary; carts: CartLine[] }

export type QuotePurchase = {
  purchaseNo: string
  _product: string
  _option?: string | null
  _seller: string
  code: string
  name: string
  optionName?: string | null
  thumb?: string | null
  quantity: number
  unitPrice: number
  productDiscount: number
  levelDiscount: number
  productCoupon: number
  totalCoupon: number
  points: number
  paid: number
}

export type QuoteFare = {
  _seller: string
  purchaseNos: string[]
  name: string
  method: ShippingOption['method']
  bundleType: ShippingOption['bundleType']
  chargeType: ShippingOption['chargeType']
  fare: number
  islandFee: number
  serviceFee: number
  fareCoupon: number
  totalCoupon: number
  points: number
  paid: number
}

export type CouponStage = 'product' | 'fare' | 'total'

export type CouponUse = {
  _issued: string
  _coupon: string
  name: string
  stage: CouponStage
  purchaseNo?: string | null
  amount: number
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

export type Quote = { purchases: QuotePurchase[]; fares: QuoteFare[]; coupons: CouponUse[]; totals: Totals }

/** A coupon the preview offers, with the lines it may be used on. */
export type CouponChoice = {
  _issued: string
  name: string
  stage: CouponStage
  applicable: string[]
  /** Why it cannot be used now. */
  why?: string | null
}

export type Preview = {
  quote: Quote
  coupons: CouponChoice[]
  points: { available: number; usable: number }
  area?: string
  lines: { purchaseNo: string; _cart?: string | null; stockLeft: number }[]
}

export type Party = {
  title?: string | null
  name: string
  phone: string
  email?: string | null
  postcode?: string | null
  address1?: string | null
  address2?: string | null
}

export type Destination = {
  _id: string
  title: string
  name: string
  phone: string
  postcode: string
  address1: string
  address2: string
  isDefault: boolean
}

export type PayMethod = 'card' | 'bank' | 'vbank' | 'cellphone' | 'free'

export type OrderForm = {
  _carts?: string[]
  carts?: LineWish[]
  coupons?: { _issued: string; purchaseNo?: string }[]
  point?: number
  sender?: Party
  receiver?: Partial<Party>
  cashReceipt?: { enabled: boolean; phone: string }
  paymentMethod?: PayMethod
  requestMessage?: string
  _terms?: string[]
  /** The amount on the button. */
  payable?: number
}

export type PlacedOrder = {
  order: { _id: string; orderNo: string; status: string; payable: number; payBy: string; paymentMethod: PayMethod }
  guestToken?: string | null
}

/** What the reader may do next, as the server says it. */
export type NextAction = 'pay' | 'cancel' | 'requestCancel' | 'confirm' | (string & {})

export type PurchaseRow = {
  purchaseNo: string
  _product: string
  _option?: string | null
  name: string
  optionName?: string | null
  code: string
  thumb?: string | null
  quantity: number
  unitPrice: number
  paid: number
  orderStatus: string
  claimStatus: string
  purchaseStatus: string
  collectionStatus: string
  statusText: string
  seller: Seller
  courier?: string | null
  invoiceNo?: string | null
  trackingUrl?: string | null
  /** The Seoul day it confirms itself, YYYY-MM-DD. */
  confirmOn?: string | null
  claim?: { _id: string; reason: string } | null
  nextActions: NextAction[]
}

export type OrderCard = {
  _id: string
  orderNo: string
  createdAt: string
  status: string
  statusText: string
  payable: number
  payBy: string
  paymentMethod: PayMethod
  purchases: PurchaseRow[]
  nextActions: NextAction[]
}

export type PaymentCard = {
  _id: string
  attempt: number
  method: PayMethod
  status: 'PAYMENT_AWAITING' | 'PAYMENT_COMPLETED' | 'PAYMENT_CANCELED' | (string & {})
  amount: number
  refunded: number
  approvedAt?: string | null
  receiptUrl?: string | null
}

export type OrderDetail = OrderCard & {
  /** None: forgotten. */
  sender?: Party | null
  receiver?: Party | null
  requestMessage?: string | null
  fares: QuoteFare[]
  coupons: CouponUse[]
  totals: Totals
  payments: PaymentCard[]
  timeline: { position: number; at: string; text: string }[]
  version: number
  position: number
}

export type OrderCounts = {
  nonpayment: number
  payment: number
  confirm: number
  shipping: number
  delivered: number
  claims: number
}

export type Orders = { summary: Summary & { counts: OrderCounts }; orders: OrderCard[] }

export type MyCoupon = {
  _id: string
  _coupon: string
  name: string
  stage: CouponStage
  unit: 'AMOUNT' | 'PERCENT'
  value: number
  limit?: number | null
  priceMin?: number | null
  startsAt?: string | null
  endsAt?: string | null
  state: 'held' | 'used' | 'expired'
  usedAt?: string | null
  _order?: string | null
}

export type CouponOffer = Pick<MyCoupon, '_id' | 'name' | 'stage' | 'unit' | 'value' | 'limit' | 'priceMin'> & {
  drawn: boolean
}

export type PointEntry = {
  _id: string
  amounts: number
  amountLeft?: number | null
  kind: 'INCREASE' | 'DECREASE'
  reason: string
  orderNo?: string | null
  createdAt: string
  expiresAt?: string | null
}

export type Points = { summary: Summary & { available: number; expiringSoon: number }; points: PointEntry[] }

export type MyInfo = {
  user: {
    _id: string
    type: string
    name?: string | null
    nickname?: string | null
    email?: string | null
    phone?: string | null
    membershipLevel?: { code: string; name: string } | null
    /** Unread notices. */
    notiCount?: number
    /** What one wants to be told. */
    noti?: { isShow?: boolean; disabledCategories?: string[] } | null
  }
}
