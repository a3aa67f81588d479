//! What can happen to an order. Amounts are hundredths and frozen here; nothing is recomputed later.

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;

use super::cancel_reason::CancelReason;
use crate::catalogue::ProductType;
use crate::coupon::Stage;
use crate::domain_event;
use crate::ids::{
    ClaimId, CouponId, IssuedCouponId, LotId, MemberId, OptionId, PaymentId, ProductId, RefundId,
    StockId,
};
use crate::money::Amount;
use crate::personal::{DepositTerms, Party, Sealed};
use crate::rounding::RoundingStep;
use crate::shipping::{Area, BundleType, ChargeType, ShippingMethod};

/// Who placed an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Buyer {
    /// A member.
    #[serde(rename_all = "camelCase")]
    Member {
        /// Who.
        id: MemberId,
    },
    /// Somebody without an account, found again by `orderNo` and phone.
    #[serde(rename_all = "camelCase")]
    Guest {
        /// Keyed hash of the phone number, hex.
        contact_hash: String,
    },
}

/// How the buyer pays (spec: `paymentMethod`, default card).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaymentMethod {
    /// Card.
    #[default]
    Card,
    /// Bank transfer.
    Bank,
    /// Virtual account.
    Vbank,
    /// Mobile phone bill.
    Cellphone,
    /// Nothing left to pay: coupons and points cover everything.
    Free,
}

/// One purchase: a product option of one seller, with its frozen prices and its share of every discount.
///
/// `unit_price * quantity - product_discount - level_discount - product_coupon - total_coupon - points = paid`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseTerms {
    /// What people see: `orderNo-1`, `orderNo-2`, ...
    pub purchase_no: String,
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Its kind.
    pub product_type: ProductType,
    /// The option; none where options are off.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// Who sells it.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// Product code.
    pub code: String,
    /// Product name as it was.
    pub name: String,
    /// Option value as it was.
    pub option_name: Option<String>,
    /// Picture as it was.
    pub thumb: Option<String>,
    /// How many.
    pub quantity: u32,
    /// Stock taken for this purchase: (ledger, pieces); several for sets.
    pub stock: Vec<StockTaken>,
    /// List price plus option price, per piece.
    pub unit_price: Amount,
    /// Taken off by the product's discount, whole line.
    pub product_discount: Amount,
    /// Taken off by the buyer's level, whole line.
    pub level_discount: Amount,
    /// Taken off by a product coupon.
    pub product_coupon: Amount,
    /// This line's share of total coupons.
    pub total_coupon: Amount,
    /// This line's share of the points used.
    pub points: Amount,
    /// What the buyer pays for this line, fares apart.
    pub paid: Amount,
    /// Version of the product record the price came from.
    pub product_version: u64,
}

/// Pieces taken from one stock ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockTaken {
    /// The ledger.
    #[serde(rename = "_stock")]
    pub stock: StockId,
    /// Pieces.
    pub quantity: u32,
}

/// One delivery fare: what a seller's parcel, or one purchase sent by the piece, costs.
///
/// `fare + island_fee + service_fee - fare_coupon - total_coupon - points = paid`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FareTerms {
    /// Who sends it.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// The purchases it carries.
    pub purchase_nos: Vec<String>,
    /// Name of the shipping option.
    pub name: String,
    /// How it travels.
    pub method: ShippingMethod,
    /// Bundled or by the piece.
    pub bundle_type: BundleType,
    /// How the fare was found; pay on delivery is 0 here.
    pub charge_type: ChargeType,
    /// The fare itself.
    pub fare: Amount,
    /// Island surcharge.
    pub island_fee: Amount,
    /// Service fee.
    pub service_fee: Amount,
    /// Taken off by fare coupons.
    pub fare_coupon: Amount,
    /// Share of total coupons.
    pub total_coupon: Amount,
    /// Share of the points used.
    pub points: Amount,
    /// What the buyer pays for delivery.
    pub paid: Amount,
}

/// A coupon as it was used on this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponUse {
    /// The one in the buyer's box.
    #[serde(rename = "_issued")]
    pub issued: IssuedCouponId,
    /// Its definition.
    #[serde(rename = "_coupon")]
    pub coupon: CouponId,
    /// Name as it was.
    pub name: String,
    /// Where it took off.
    pub stage: Stage,
    /// The purchase, for product coupons.
    pub purchase_no: Option<String>,
    /// Who funds the seller's part.
    #[serde(rename = "_seller")]
    pub seller: Option<MemberId>,
    /// What it took off.
    pub amount: Amount,
    /// The part of `amount` the seller bears (share percent, floored); the platform bears the rest.
    pub seller_share: Amount,
    /// Whether it counts against a campaign's limit.
    pub counted: bool,
}

/// Points taken from one lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LotPart {
    /// The lot.
    #[serde(rename = "_lot")]
    pub lot: LotId,
    /// How much of it.
    pub amount: Amount,
}

/// What the order adds up to.
///
/// `goods - product_discount - level_discount - coupon_discount - points + fares = payable`, `fares` before fare coupons
/// and `coupon_discount` over all stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Sum of unit price times quantity.
    pub goods: Amount,
    /// Product discounts.
    pub product_discount: Amount,
    /// Level discounts.
    pub level_discount: Amount,
    /// Product coupons.
    pub product_coupon: Amount,
    /// Fares, island and service fees before coupons.
    pub fares: Amount,
    /// Fare coupons.
    pub fare_coupon: Amount,
    /// Total coupons.
    pub total_coupon: Amount,
    /// Points used.
    pub points: Amount,
    /// What is paid.
    pub payable: Amount,
}

/// Terms somebody agreed to, by joining or buying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgreedTerm {
    /// Code of the terms.
    pub code: String,
    /// Edition of the text; 0: the shop had no such text in force.
    pub version: u64,
}

/// An order as it was placed: everything a later event may need is frozen in here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderTerms {
    /// What people see, e.g. `20261121-7KD2M9QX`.
    pub order_no: String,
    /// Who.
    pub buyer: Buyer,
    /// Sender, key of the buyer (or of the order for guests), purpose statutory.
    pub sender: Sealed<Party>,
    /// Receiver, the same key.
    pub receiver: Sealed<Party>,
    /// Wish for the courier.
    pub request_message: Option<Sealed<String>>,
    /// Phone for a cash receipt, where one is wanted.
    pub cash_receipt: Option<Sealed<String>>,
    /// Surcharge area of the receiver's postcode.
    pub area: Area,
    /// Whether the postcode was unknown or malformed, for staff to look at.
    pub area_unknown: bool,
    /// The purchases.
    pub purchases: Vec<PurchaseTerms>,
    /// The fares.
    pub fares: Vec<FareTerms>,
    /// Coupons used.
    pub coupons: Vec<CouponUse>,
    /// Points used, by lot.
    pub points: Vec<LotPart>,
    /// The sums.
    pub totals: Totals,
    /// How it will be paid.
    pub payment_method: PaymentMethod,
    /// Terms agreed to.
    pub terms: Vec<AgreedTerm>,
    /// Until when it may stay unpaid.
    #[serde(with = "time::serde::rfc3339")]
    pub pay_by: OffsetDateTime,
    /// Version of the category tree, shipping group and level records used: (kind, id, version).
    pub rules: Vec<RuleVersion>,
    /// Who pays into a virtual account and where a refund goes, with that way to pay; the same key as the sender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit: Option<Sealed<DepositTerms>>,
    /// What its amounts were rounded to, and what shares of them are; orders from before this was kept: the hundredth.
    #[serde(default, skip_serializing_if = "RoundingStep::is_hundredth")]
    pub step: RoundingStep,
}

/// Which version of a record a price was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleVersion {
    /// Stream kind.
    pub kind: String,
    /// Stream id.
    pub id: String,
    /// Version.
    pub version: u64,
}

/// Who called a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CanceledBy {
    /// The buyer.
    Buyer,
    /// Staff or seller.
    Staff,
    /// The unpaid deadline.
    Deadline,
}

/// Who confirmed a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConfirmedBy {
    /// The buyer.
    Buyer,
    /// Nobody: its day came.
    Date,
}

/// What happened to an order or to purchases in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum OrderEvent {
    /// Placed: `ORDER_NONPAYMENT`, purchases `PURCHASE_PENDING`.
    OrderPlaced(Box<OrderTerms>),
    /// Paid in full: `ORDER_PAYMENT`, purchases `PURCHASE_AWAITING`.
    OrderPaid {
        /// The attempt that paid; none when nothing was left to pay.
        payment: Option<PaymentId>,
        /// Hundredths paid.
        amount: Amount,
    },
    /// A virtual account waits for the buyer's deposit: the order may stay unpaid as long as the account is open.
    DepositAwaited {
        /// The attempt.
        payment: PaymentId,
        /// Until when, never sooner than it had been.
        #[serde(with = "time::serde::rfc3339")]
        until: OffsetDateTime,
    },
    /// Canceled as a whole before it was paid: `ORDER_CANCELED`; stock, coupons and points go back in the same append.
    OrderCanceled {
        /// Who called it.
        by: CanceledBy,
        /// Why.
        reason: Option<CancelReason>,
    },
    /// Staff or seller prepares the goods: `ORDER_CONFIRM`.
    PurchasePrepared {
        /// Which purchase.
        purchase_no: String,
    },
    /// Handed to the courier: `SHIPPING_CONFIRM`.
    PurchaseShipped {
        /// Which purchase.
        purchase_no: String,
        /// Courier code, e.g. `kr.cjlogistics`.
        courier: String,
        /// Invoice (tracking) number, digits.
        invoice_no: String,
    },
    /// The invoice number was corrected after shipping.
    InvoiceCorrected {
        /// Which purchase.
        purchase_no: String,
        /// Courier code.
        courier: String,
        /// Invoice number.
        invoice_no: String,
    },
    /// Delayed: `SHIPPING_DELAYED`.
    PurchaseDelayed {
        /// Which purchase.
        purchase_no: String,
        /// What the buyer is told.
        reason: String,
    },
    /// Delivered: `DELIVERY_COMPLETE`, purchase `PURCHASE_SCHEDULE`.
    PurchaseDelivered {
        /// Which purchase.
        purchase_no: String,
        /// The Seoul day it confirms itself.
        #[serde(with = "crate::business_day::day_text")]
        confirm_on: Date,
    },
    /// The purchase is confirmed: `PURCHASE_COMPLETE`.
    PurchaseCompleted {
        /// Which purchase.
        purchase_no: String,
        /// Who confirmed it.
        by: ConfirmedBy,
    },
    /// The buyer or staff asks to cancel paid purchases: `CANCEL_REQUESTED`.
    CancelRequested {
        /// The claim.
        claim: ClaimId,
        /// Which purchases.
        purchase_nos: Vec<String>,
        /// Who called it.
        by: CanceledBy,
        /// Why.
        reason: CancelReason,
        /// What will be refunded: paid shares and, when nothing of a fare's purchases is left, the fare.
        refund: RefundTerms,
    },
    /// The cancellation is granted (by policy before preparing, by staff after); goods, coupons and points go back here.
    CancelApproved {
        /// The claim.
        claim: ClaimId,
        /// The refund to be made, none when there is no money to give back.
        refund: Option<RefundId>,
        /// What really goes back. It may differ from what was expected when it was requested: another claim may have taken the
        /// last other purchase of a fare or a coupon in between.
        terms: RefundTerms,
    },
    /// The cancellation is refused: `CANCEL_REJECTED`.
    CancelRejected {
        /// The claim.
        claim: ClaimId,
        /// Why.
        reason: String,
    },
    /// The money is back: `CANCEL_COMPLETED`, purchases `PURCHASE_CANCELED`.
    CancelCompleted {
        /// The claim.
        claim: ClaimId,
    },
    /// The law is done with a guest's order: the order's key is destroyed, and nobody can read any more who it was with.
    GuestRecordsErased {},
}

/// What a cancellation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundTerms {
    /// Money, hundredths, through the gateway.
    pub money: Amount,
    /// Points, back into their lots.
    pub points: Vec<LotPart>,
    /// Coupons that go back to the box (all of the order's lines they touched are canceled).
    pub coupons: Vec<IssuedCouponId>,
}

domain_event!(OrderEvent {
    OrderPlaced "2.0" "주문이 접수되었습니다",
    OrderPaid "1.0" "결제가 완료되었습니다",
    DepositAwaited "1.0" "입금을 기다리고 있습니다",
    OrderCanceled "2.0" "주문이 취소되었습니다",
    PurchasePrepared "1.0" "상품을 준비하고 있습니다",
    PurchaseShipped "1.0" "상품이 발송되었습니다",
    InvoiceCorrected "1.0" "송장번호가 수정되었습니다",
    PurchaseDelayed "1.0" "배송이 지연되고 있습니다",
    PurchaseDelivered "1.0" "배송이 완료되었습니다",
    PurchaseCompleted "2.0" "구매가 확정되었습니다",
    CancelRequested "2.0" "취소가 요청되었습니다",
    CancelApproved "1.0" "취소가 승인되었습니다",
    CancelRejected "1.0" "취소가 거부되었습니다",
    CancelCompleted "1.0" "취소가 완료되었습니다",
    GuestRecordsErased "1.0" "보관 기한이 지나 개인정보를 파기했습니다",
});
