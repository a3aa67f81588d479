// Names for types of the OpenAPI document (schema.gen.ts) that the shop's pages use. Amounts are integer hundredths, times RFC 3339, ids
// UUID text.

import type { RequestBody } from './openapiTypes'
import type { components } from './schema.gen'

type S = components['schemas']

export type Summary = S['Summary']
export type PictureRef = S['Picture']
export type Seller = S['SellerRef']
export type ProductCard = S['ProductCard']
export type ProductOption = S['ProductOptionView']
export type ShippingOption = S['ShippingOption']
export type ProductDetail = S['ProductDetail']
export type ProductAnswer = S['ProductAnswer']
export type Products = S['Products']
export type Facets = S['Facets']

/** A product, or one of its options, to buy. */
export type LineWish = Omit<S['LineForm'], '_option'> & { _option?: string }
export type CartLine = S['CartView']
export type Carts = S['Cart']

export type QuotePurchase = S['PurchaseTerms']
export type QuoteFare = S['FareTerms']
export type CouponStage = S['Stage']
export type CouponUse = S['CouponUse']
export type Totals = S['Totals']
export type Quote = S['Quote']

/** A coupon the preview offers, with the lines it may be used on. */
export type CouponChoice = S['CouponChoice']
export type Preview = S['Preview']
export type Party = S['Party']
export type Destination = S['DestinationView']
export type PayMethod = S['PaymentMethod']
export type OrderForm = RequestBody<S['OrderForm']>
export type PlacedOrder = S['PlaceOrderAnswer']

/** The actions the server currently allows the caller. */
export type NextAction = S['Action']
export type PurchaseRow = S['PurchaseRow']
export type OrderCard = S['OrderCard']
export type PaymentCard = S['PaymentCard']
export type OrderDetail = S['OrderDetail']
export type RefundPreview = S['RefundPreview']
export type ShownRefund = S['ShownRefund']
export type Claim = S['ClaimView']
/** When a claim reached each step. */
export type ClaimTimes = S['ClaimTimes']
export type ClaimKind = S['ClaimKind']
/** What a purchase may be exchanged for. */
export type ExchangeChoices = S['ExchangeChoices']
/** What an exchange for a cheaper option gives back. */
export type PriceDifference = S['PriceDifference']
/** The replacement goods. */
export type Exchange = S['ExchangeView']
/** The party that answers for a return. */
export type Fault = S['Fault']
export type ClaimFee = S['FeeAmount']
/** A parcel of a claim. */
export type ClaimParcel = S['ClaimParcel']
export type OrderCounts = S['OrderCounts']
export type Orders = S['MyOrders']
export type MyCoupon = S['BoxedCoupon']
export type CouponOffer = S['CouponOffer']
export type PointEntry = S['PointEntry']
export type Points = S['MyPoints']
export type MyInfo = S['MeAnswer']

export type Review = S['ReviewView']
export type ReviewSort = 'BEST' | 'LATEST' | 'STAR_DESC' | 'STAR_ASC'
export type MyReview = S['MyReview']
export type ReviewablePurchase = S['ReviewablePurchase']
export type ReviewPoints = S['ReviewPoints']
export type Inquire = S['InquireView']
