// Products, prices and orders for tests of the shopper's pages, in the server's format.

import type {
  Claim,
  Exchange,
  OrderDetail,
  Preview,
  ProductCard,
  ProductDetail,
  PurchaseRow,
  Quote,
  QuotePurchase,
  RefundPreview,
} from '../api/types'
import type { Store } from '../features/stores/api'

export const SELLERS = { hangang: { _id: 's1', nickname: '한강바이크' }, juice: { _id: 's2', nickname: '아침착즙' } }

export const card = (part: Partial<ProductCard> = {}): ProductCard => ({
  _id: 'p1',
  code: 'BK-ROAD-01',
  name: '바람 로드 105',
  type: 'NORMAL_PRODUCT',
  thumb: { url: '/pictures/BK-ROAD-01.webp', alt: null },
  price: 129000,
  salePrice: 116100,
  discountPrice: 12900,
  discountRate: 10,
  categories: ['bicycle-road'],
  seller: SELLERS.hangang,
  stock: 6,
  soldOut: false,
  sells: 0,
  flags: [],
  meta: { likeCount: 0, liked: false, reviewCount: 0, star: 0 },
  createdAt: '2026-11-20T00:00:00Z',
  freeShipping: true,
  ...part,
})

export const store = (part: Partial<Store> = {}): Store => ({
  _id: 'st1',
  _seller: 'seller1',
  name: '한강바이크 여의도점',
  nickname: '한강바이크',
  desc: '바로 타 봅니다.',
  address1: '여의동로 330',
  address2: '1층',
  tel: '02-0000-0101',
  thumb: { url: '/pictures/BK-ROAD-03.webp', alt: null },
  banner: null,
  geolocation: { latitude: 37.5284, longitude: 126.9349 },
  mini: { tag: ['시승'] },
  isRecommended: true,
  shows: true,
  index: 1,
  ...part,
})

export const detail = (part: Partial<ProductDetail> = {}): ProductDetail => ({
  ...card(part),
  desc: '입문 로드 자전거',
  content: '<p>좋습니다.</p>',
  groups: [],
  supplies: [],
  materials: [],
  nutritions: [],
  choicees: [],
  relateds: [],
  sellerCard: { ...SELLERS.hangang, productCount: 1 },
  images: [],
  optionsConf: { enabled: false, sort: null, criteria: [] },
  options: [],
  bundleds: [],
  shipping: {
    _id: 'g',
    name: '기본',
    methods: [],
    options: [
      {
        _id: '1',
        region: null,
        areas__available: [],
        name: '택배',
        method: 'GENERAL',
        bundleType: 'bundle',
        chargeType: 'price-range',
        fixedAmount: 0,
        pricesRange: [
          { price: 0, amount: 300 },
          { price: 5000, amount: 0 },
        ],
        travelRange: [],
        island: { isActive: false, amount__base: 0, amount__jeju: 0 },
        service: { isActive: false, amount: 0 },
        returnAmount: null,
      },
    ],
  },
  hashtags: [],
  seo: { title: null, meta: { author: null, description: null, keywords: null } },
  version: 1,
  ...part,
})

/** A quote of single lines without discounts; every seller's parcel costs $3.00 under $50.00. */
export function quote(lines: { product: ProductCard; quantity: number }[], points = 0): Quote {
  const purchases = lines.map(
    ({ product, quantity }, i): QuotePurchase => ({
      purchaseNo: String(i + 1),
      _product: product._id,
      _seller: product.seller._id,
      code: product.code,
      name: product.name,
      productType: product.type,
      productVersion: 1,
      stock: [{ _stock: product._id, quantity }],
      thumb: product.thumb.url,
      quantity,
      unitPrice: product.salePrice,
      productDiscount: 0,
      levelDiscount: 0,
      productCoupon: 0,
      totalCoupon: 0,
      points: 0,
      paid: product.salePrice * quantity,
    }),
  )
  const sellers = [...new Set(purchases.map((line) => line._seller))]
  const fares = sellers.map((_seller) => {
    const inside = purchases.filter((line) => line._seller === _seller)
    const fare = inside.reduce((sum, line) => sum + line.paid, 0) >= 5000 ? 0 : 300
    return {
      _seller,
      purchaseNos: inside.map((line) => line.purchaseNo),
      name: '택배',
      method: 'GENERAL' as const,
      bundleType: 'bundle' as const,
      chargeType: 'price-range' as const,
      fare,
      islandFee: 0,
      serviceFee: 0,
      fareCoupon: 0,
      totalCoupon: 0,
      points: 0,
      paid: fare,
    }
  })
  const goods = purchases.reduce((sum, line) => sum + line.paid, 0)
  const fareSum = fares.reduce((sum, fare) => sum + fare.fare, 0)
  const payable = goods + fareSum - points
  return {
    purchases,
    fares,
    coupons: [],
    totals: {
      goods,
      productDiscount: 0,
      levelDiscount: 0,
      productCoupon: 0,
      fares: fareSum,
      fareCoupon: 0,
      totalCoupon: 0,
      points,
      payable,
    },
  }
}

export const preview = (priced: Quote, part: Partial<Preview> = {}): Preview => ({
  quote: priced,
  coupons: [],
  points: { available: 0, usable: 0, conditions: [], limitedBy: [], earns: 0 },
  area: 'none',
  lines: priced.purchases.map(({ purchaseNo }) => ({ purchaseNo, stockLeft: 99 })),
  ...part,
})

export const purchase = (part: Partial<PurchaseRow> = {}): PurchaseRow => ({
  purchaseNo: '20261121-7KD2M9QX-1',
  _product: 'p1',
  name: '바람 로드 105',
  code: 'BK-ROAD-01',
  quantity: 1,
  unitPrice: 116100,
  paid: 116100,
  orderStatus: 'ORDER_PAYMENT',
  claimStatus: 'NONE',
  purchaseStatus: 'PURCHASE_PENDING',
  collectionStatus: 'NONE',
  statusText: '결제완료',
  seller: SELLERS.hangang,
  nextActions: [],
  ...part,
})

export const order = (part: Partial<OrderDetail> = {}): OrderDetail => ({
  _id: 'o1',
  orderNo: '20261121-7KD2M9QX',
  createdAt: '2026-11-21T03:00:00Z',
  status: 'ORDER_PAYMENT',
  statusText: '결제완료',
  payable: 116100,
  payBy: '2026-11-22T03:00:00Z',
  paymentMethod: 'card',
  purchases: [purchase()],
  nextActions: [],
  sender: null,
  receiver: null,
  fares: [],
  coupons: [],
  totals: quote([{ product: card(), quantity: 1 }]).totals,
  payments: [],
  claims: [],
  amounts: [],
  timeline: [],
  version: 1,
  position: 1,
  ...part,
})

/** An attempt to pay the order by virtual account; nothing has been deposited yet. */
export const deposit = (part: Partial<OrderDetail['payments'][number]> = {}): OrderDetail['payments'][number] => ({
  _id: 'y1',
  _order: 'o1',
  orderNo: '20261121-7KD2M9QX',
  attempt: 1,
  method: 'vbank',
  status: 'PAYMENT_AWAITING',
  amount: 116100,
  refunded: 0,
  account: { bankCode: '088', bankName: '신한은행', number: '56211105948400', expiresAt: '2026-11-24T03:00:00Z' },
  awaitsDeposit: true,
  needsRefundAccount: false,
  refusedRefunds: [],
  refundAccount: null,
  createdAt: '2026-11-21T03:00:00Z',
  ...part,
})

/** The refund of a cancellation: one line, a fare that is not refunded, points and two coupons. */
export const refundPreview = (part: Partial<RefundPreview> = {}): RefundPreview => ({
  orderNo: '20261121-7KD2M9QX',
  atOnce: true,
  lines: [
    {
      purchaseNo: '20261121-7KD2M9QX-1',
      name: '바람 로드 105',
      optionName: '블랙',
      quantity: 1,
      money: 100000,
      points: 300,
      atOnce: true,
    },
  ],
  fares: [
    {
      name: '택배',
      purchaseNos: ['20261121-7KD2M9QX-1'],
      money: 0,
      points: 0,
      reason: '함께 배송하는 다른 상품이 남아 있습니다.',
    },
  ],
  fees: [],
  points: { amount: 200, expired: 100, reason: '유효기간이 지난 적립금은 소멸됩니다.' },
  coupons: [
    { _id: 'c1', name: '첫 구매 10%', returns: true, reason: null },
    { _id: 'c2', name: '전체 5%', returns: false, reason: '쿠폰을 적용한 다른 상품이 남아 있습니다.' },
  ],
  refund: { amount: 100000, method: 'card', reason: null },
  ...part,
})

/** A claim on the order's only purchase that awaits a decision. */
export const claim = (part: Partial<Claim> = {}): Claim => ({
  _id: 'k1',
  kind: 'RETURN',
  state: 'REQUESTED',
  purchaseNos: ['20261121-7KD2M9QX-1'],
  by: 'buyer',
  reason: '마음이 바뀌었어요',
  rejection: null,
  fault: 'BUYER',
  refund: { money: 100000, points: 0, fees: [] },
  pickup: null,
  pictures: [],
  invoice: null,
  inspection: null,
  sentBack: null,
  exchange: null,
  ...part,
})

/** An exchange of the order's only purchase that awaits a decision; the buyer pays its fee. */
/** An exchange whose fee is due. */
export const feeAsked = (pay: Partial<NonNullable<Exchange['pay']>> = {}): Exchange => ({
  _option: 'pink',
  optionName: '분홍',
  returnedOptionName: '민트',
  difference: 0,
  differenceBack: { money: 0, points: 0 },
  price: 0,
  fee: 600,
  feePaid: pay.status === 'PAY_COMPLETED',
  pay: {
    _id: 'f1',
    number: '20261121-7KD2M9QX-F1',
    status: 'PAY_AWAITING',
    amount: 600,
    _payment: null,
    method: null,
    ...pay,
  },
  invoice: null,
  delayReason: null,
})

export const exchangeClaim = ({ exchange, ...part }: Partial<Claim> = {}): Claim =>
  claim({
    kind: 'EXCHANGE',
    refund: null,
    exchange: {
      _option: 'pink',
      optionName: '분홍',
      returnedOptionName: '민트',
      difference: 0,
      differenceBack: { money: 0, points: 0 },
      price: 0,
      fee: 600,
      feePaid: false,
      pay: null,
      feeTransfer: null,
      invoice: null,
      delayReason: null,
      ...exchange,
    },
    ...part,
  })
