//! Events of an order. Amounts are hundredths and frozen here; nothing is recomputed later.

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;

use super::cancel_reason::CancelReason;
use super::earned_points::ReclaimedPoints;
use super::terms::{Goods, LotPart, OrderTerms, StockTaken};
use crate::codes::codes;
use crate::domain_event;
use crate::ids::{ClaimId, ClaimPictureId, IssuedCouponId, PaymentId, RefundId};
use crate::money::Amount;
use crate::personal::{BankAccount, Party, Sealed};

/// The party that canceled.
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

/// The party that confirmed a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConfirmedBy {
    /// The buyer.
    Buyer,
    /// Automatic confirmation on the due day.
    Date,
}

/// The part of a purchase that a split gives a number of its own. Its amounts are subtracted from those of the purchase it is split off;
/// `unit_price * quantity + difference - product_discount - level_discount - product_coupon - total_coupon - points = paid`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurchasePart {
    /// Pieces.
    pub quantity: u32,
    /// Its stock, by stock aggregate.
    pub stock: Vec<StockTaken>,
    /// Its part of what exchanges changed of the price.
    pub difference: Amount,
    /// Product discount.
    pub product_discount: Amount,
    /// Level discount.
    pub level_discount: Amount,
    /// Discount of product coupons.
    pub product_coupon: Amount,
    /// Share of total coupons.
    pub total_coupon: Amount,
    /// Share of the points used.
    pub points: Amount,
    /// Amount the buyer pays for it, without fares.
    pub paid: Amount,
    /// The seller's part of its coupons.
    pub borne_by_seller: Amount,
    /// The seller's part of the coupons of the rest, which keeps its number.
    pub kept_borne_by_seller: Amount,
}

codes! {
    /// The party responsible for a return.
    Fault {
        /// The buyer, who changed their mind.
        Buyer = "BUYER",
        /// The seller: faulty, damaged or wrong goods.
        Seller = "SELLER",
    }
}

codes! {
    /// What the receiver of an order was read out for.
    DisclosurePurpose {
        /// A file for the program of a courier.
        File = "FILE",
        /// Labels and packing slips.
        Label = "LABEL",
    }
}

codes! {
    /// Kind of a claim's fee.
    FeeKind {
        /// The way back of returned goods.
        ReturnFare = "RETURN_FARE",
        /// The fare of the remaining goods, less what was charged. Negative where it is given back.
        FareRecharge = "FARE_RECHARGE",
    }
}

/// A fee deducted from the refund of a claim; the seller who ships the parcel receives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimFee {
    /// Kind.
    pub kind: FeeKind,
    /// The fare it belongs to, by its place in the terms.
    pub fare: u32,
    /// Hundredths.
    pub amount: Amount,
}

/// Outcome of a fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FareOutcome {
    /// The seller earned it: a purchase of its parcel was confirmed, or all were returned through the buyer's fault.
    Earned,
    /// Refunded to the buyer.
    Refunded,
}

/// A fare that a claim settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FareSettlement {
    /// The fare, by its place in the terms.
    pub fare: u32,
    /// Its outcome.
    pub outcome: FareOutcome,
}

/// Pieces of a return or exchange that did not arrive; their claim is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissingPieces {
    /// Their claim.
    pub claim: ClaimId,
    /// Number of their purchase, which the same decision split off.
    pub purchase_no: String,
    /// The reason.
    pub reason: String,
    /// The Seoul day of their automatic confirmation; none if they were on their way.
    #[serde(with = "crate::business_day::day_text::option")]
    pub confirm_on: Option<Date>,
}

/// Events of an order and its purchases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum OrderEvent {
    /// Placed: `ORDER_NONPAYMENT`, purchases `PURCHASE_PENDING`.
    OrderPlaced(Box<OrderTerms>),
    /// Paid in full: `ORDER_PAYMENT`, purchases `PURCHASE_AWAITING`.
    OrderPaid {
        /// The payment; none if nothing was left to pay.
        payment: Option<PaymentId>,
        /// Hundredths paid.
        amount: Amount,
    },
    /// A virtual account was issued: the order may stay unpaid until the account expires.
    DepositAwaited {
        /// The payment.
        payment: PaymentId,
        /// The new payment deadline, never earlier than the previous one.
        #[serde(with = "time::serde::rfc3339")]
        until: OffsetDateTime,
    },
    /// The awaited deposit is not expected any more: its account is being closed, was closed by the bank, or took another amount.
    /// The order stays unpaid, its deadline unchanged.
    DepositWaitEnded {
        /// The payment whose deposit was awaited.
        payment: PaymentId,
    },
    /// Canceled as a whole before it was paid: `ORDER_CANCELED`; stock, coupons and points go back in the same append.
    OrderCanceled {
        /// The party that canceled.
        by: CanceledBy,
        /// The reason.
        reason: Option<CancelReason>,
    },
    /// Staff or seller prepares the goods: `ORDER_CONFIRM`.
    PurchasePrepared {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// Handed to the courier: `SHIPPING_CONFIRM`.
    PurchaseShipped {
        /// Number of the purchase.
        purchase_no: String,
        /// Courier code, e.g. `kr.cjlogistics`.
        courier: String,
        /// Invoice (tracking) number, digits.
        invoice_no: String,
        /// The Seoul day on which it counts as delivered if its delivery is not reported; none where it was not recorded.
        #[serde(with = "crate::business_day::day_text::option")]
        deliver_by: Option<Date>,
    },
    /// The invoice number was corrected after shipping.
    InvoiceCorrected {
        /// Number of the purchase.
        purchase_no: String,
        /// Courier code.
        courier: String,
        /// Invoice number.
        invoice_no: String,
    },
    /// Delayed: `SHIPPING_DELAYED`.
    PurchaseDelayed {
        /// Number of the purchase.
        purchase_no: String,
        /// The reason shown to the buyer.
        reason: String,
    },
    /// Delivered: `DELIVERY_COMPLETE`, purchase `PURCHASE_SCHEDULE`.
    PurchaseDelivered {
        /// Number of the purchase.
        purchase_no: String,
        /// The Seoul day of automatic confirmation.
        #[serde(with = "crate::business_day::day_text")]
        confirm_on: Date,
    },
    /// The purchase is confirmed: `PURCHASE_COMPLETE`.
    PurchaseCompleted {
        /// Number of the purchase.
        purchase_no: String,
        /// The party that confirmed it.
        by: ConfirmedBy,
    },
    /// A cancellation of paid purchases was requested: `CANCEL_REQUESTED`.
    CancelRequested {
        /// The claim.
        claim: ClaimId,
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
        /// The party that requested it.
        by: CanceledBy,
        /// The reason.
        reason: CancelReason,
        /// The expected refund: paid shares and, where all purchases of a fare are canceled, the fare.
        refund: RefundTerms,
    },
    /// The cancellation was approved (by policy before preparing, by staff after); stock, coupons and points are given back here.
    CancelApproved {
        /// The claim.
        claim: ClaimId,
        /// The refund to make with the order's payment; none without money to give back on it.
        refund: Option<RefundId>,
        /// What is given back. It may differ from what was expected at the request: another claim may have taken the last other
        /// purchase of a fare or a coupon in between.
        terms: RefundTerms,
    },
    /// The cancellation was rejected: `CANCEL_REJECTED`.
    CancelRejected {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
    },
    /// The refund was completed: `CANCEL_COMPLETED`, purchases `PURCHASE_CANCELED`.
    CancelCompleted {
        /// The claim.
        claim: ClaimId,
    },
    /// Some pieces of a purchase became a purchase of their own, because a claim covers only them.
    PurchaseSplit {
        /// The purchase that keeps its number, and the rest of the pieces.
        from: String,
        /// Number of the new purchase.
        purchase_no: String,
        /// What it takes with it.
        part: PurchasePart,
    },
    /// The return of a sent purchase was requested: `RETURN_REQUESTED`, `COLLECTION_PENDING`; automatic confirmation stops.
    ReturnRequested {
        /// The claim.
        claim: ClaimId,
        /// Number of the purchase.
        purchase_no: String,
        /// The party that requested it.
        by: CanceledBy,
        /// The reason.
        reason: CancelReason,
        /// The party at fault, as requested.
        fault: Fault,
        /// Address the goods are picked up from; key of the buyer (or of the order for guests), purpose statutory.
        pickup: Sealed<Party>,
        /// Fare of the way back, hundredths; deducted from the refund if the buyer is at fault.
        return_fare: Amount,
        /// Whole days left until automatic confirmation; none if it was on its way.
        days_left: Option<u32>,
        /// The expected refund.
        refund: RefundTerms,
        /// Pictures of the goods, sealed with the key of their parties.
        pictures: Vec<ClaimPictureId>,
    },
    /// A courier picked the goods of a return or exchange up: `COLLECTION_PROGRESS`.
    GoodsPickedUp {
        /// The claim.
        claim: ClaimId,
        /// Courier code; none if the parcel has no number.
        courier: Option<String>,
        /// Invoice number.
        invoice_no: Option<String>,
    },
    /// The goods of a return or exchange were inspected: `COLLECTION_COMPLETE`.
    GoodsInspected {
        /// The claim.
        claim: ClaimId,
        /// Pieces that arrived: all of the purchase, after the split of those missing.
        arrived: u32,
        /// How many of them can be sold again; the others are written off.
        resellable: u32,
        /// The party at fault, as found.
        fault: Fault,
        /// The pieces that did not arrive.
        missing: Option<MissingPieces>,
    },
    /// The return was approved: stock, coupons and points are given back here.
    ReturnApproved {
        /// The claim.
        claim: ClaimId,
        /// The refund to make with the order's payment; none without money to give back on it.
        refund: Option<RefundId>,
        /// What is given back.
        terms: RefundTerms,
    },
    /// The return was rejected: `RETURN_REJECTED`.
    ReturnRejected {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
        /// The Seoul day of automatic confirmation; none if the purchase is on its way.
        #[serde(with = "crate::business_day::day_text::option")]
        confirm_on: Option<Date>,
    },
    /// Goods of a rejected return or exchange go back to the buyer. Another one corrects the invoice number.
    GoodsSentBack {
        /// The claim.
        claim: ClaimId,
        /// Courier code.
        courier: String,
        /// Invoice number.
        invoice_no: String,
    },
    /// The refund of a return was completed: `RETURN_COMPLETED`, purchase `PURCHASE_CANCELED`.
    ReturnCompleted {
        /// The claim.
        claim: ClaimId,
    },
    /// The exchange of a delivered purchase was requested: `EXCHANGE_REQUESTED`; automatic confirmation stops.
    ExchangeRequested {
        /// The claim.
        claim: ClaimId,
        /// Number of the purchase.
        purchase_no: String,
        /// The party that requested it.
        by: CanceledBy,
        /// The reason.
        reason: CancelReason,
        /// The party at fault, as requested.
        fault: Fault,
        /// Address the goods are picked up from and the replacement is sent to; key of the buyer (or of the order for guests),
        /// purpose statutory.
        pickup: Sealed<Party>,
        /// Fare of both ways, hundredths; paid by the buyer if at fault, before the replacement is sent.
        fee: Amount,
        /// Whole days left until automatic confirmation.
        days_left: Option<u32>,
        /// The replacement.
        replacement: Goods,
        /// Price of the replacement less that of the goods, per piece, hundredths: frozen here. The buyer pays one above zero before the
        /// replacement is sent; one below zero goes back after.
        difference: Amount,
        /// Pictures of the goods, sealed with the key of their parties.
        pictures: Vec<ClaimPictureId>,
    },
    /// The exchange was accepted: `EXCHANGE_PENDING`, `COLLECTION_PENDING`; the replacement is taken from stock here.
    ExchangeAccepted {
        /// The claim.
        claim: ClaimId,
    },
    /// The exchange was rejected: `EXCHANGE_REJECTED`; a replacement that was taken goes back into stock.
    ExchangeRejected {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
        /// The Seoul day of automatic confirmation.
        #[serde(with = "crate::business_day::day_text::option")]
        confirm_on: Option<Date>,
    },
    /// The buyer paid what an exchange costs, through the gateway or into the shop's bank account: its fee, which belongs to the seller, and
    /// the difference of a dearer option, which the purchase costs more once the replacement is sent.
    ExchangeFeeReceived {
        /// The claim.
        claim: ClaimId,
        /// Both, hundredths.
        amount: Amount,
        /// The part of it that is the difference; zero for a bank transfer.
        price: Amount,
        /// The bank's reference of the transfer; the number of the user payment if it was paid through the gateway.
        reference: String,
        /// The payment; none for a bank transfer.
        payment: Option<PaymentId>,
    },
    /// The shop or the seller does without the fee of an exchange.
    ExchangeFeeWaived {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
    },
    /// An exchange was rejected after the buyer had paid for it: what was paid goes back with its payment, or by a transfer of staff to the
    /// buyer's account. At most once an exchange, with its [`OrderEvent::ExchangeRejected`].
    ExchangeFeeRefunded {
        /// The claim.
        claim: ClaimId,
        /// Number of the purchase.
        purchase_no: String,
        /// Fee and difference, hundredths: all that was received.
        amount: Amount,
        /// The part of it that is the difference.
        price: Amount,
        /// The payment; none for a bank transfer.
        payment: Option<PaymentId>,
        /// The refund to make.
        refund: RefundId,
    },
    /// The account for the refund of a fee that was paid by bank transfer; the newest one applies.
    FeeRefundAccountGiven {
        /// The claim.
        claim: ClaimId,
        /// The account, key of the buyer (or of the order for guests), purpose statutory.
        account: Sealed<BankAccount>,
    },
    /// Staff sent the refund of a fee that was paid by bank transfer to the buyer's account. At most once an exchange.
    FeeRefundTransferred {
        /// The claim.
        claim: ClaimId,
        /// Number of the purchase.
        purchase_no: String,
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// The bank's reference of the transfer.
        reference: String,
    },
    /// The replacement was sent: `EXCHANGE_SHIPPING`. The first of these events replaces the goods of the purchase, and the goods that came
    /// back are in stock or written off. A further one corrects the invoice number, or ends a delay.
    ReplacementShipped {
        /// The claim.
        claim: ClaimId,
        /// Courier code.
        courier: String,
        /// Invoice number.
        invoice_no: String,
        /// The Seoul day on which it counts as delivered if its delivery is not reported.
        #[serde(with = "crate::business_day::day_text")]
        deliver_by: Date,
    },
    /// The replacement that was sent is cheaper than the goods: the difference goes back to the buyer, and the purchase costs so much less.
    /// At most once an exchange, with the first [`OrderEvent::ReplacementShipped`].
    PriceDifferenceRefunded {
        /// The claim.
        claim: ClaimId,
        /// Number of the purchase.
        purchase_no: String,
        /// The refund to make with the order's payment; none without money to give back on it.
        refund: Option<RefundId>,
        /// What is given back: money and points, neither coupons nor fares.
        terms: RefundTerms,
    },
    /// The replacement is delayed: `EXCHANGE_DELAYED`.
    ReplacementDelayed {
        /// The claim.
        claim: ClaimId,
        /// The reason shown to the buyer.
        reason: String,
    },
    /// The replacement was delivered: `EXCHANGE_COMPLETED`, purchase `PURCHASE_SCHEDULE`, or `PURCHASE_COMPLETE` if it was confirmed
    /// before.
    ExchangeCompleted {
        /// The claim.
        claim: ClaimId,
        /// The Seoul day of automatic confirmation: all days run again; none if it was confirmed before.
        #[serde(with = "crate::business_day::day_text::option")]
        confirm_on: Option<Date>,
    },
    /// The buyer withdrew a claim: the purchase has no claim again.
    ClaimWithdrawn {
        /// The claim.
        claim: ClaimId,
        /// The Seoul day of automatic confirmation; none if there is none.
        #[serde(with = "crate::business_day::day_text::option")]
        confirm_on: Option<Date>,
    },
    /// The retention period of a guest's order ended: the order's key is destroyed, so the parties can no longer be read.
    GuestRecordsErased {},
    /// Staff corrected the receiver's name, phone or address. It applies to everything sent from now on: a purchase that was sent keeps
    /// what was printed on its parcel. The surcharge area is the one the order was placed for.
    ReceiverCorrected {
        /// The receiver as a whole, the same key as at placement.
        receiver: Sealed<Party>,
    },
    /// Staff or the seller read out who receives these purchases and where, to send them: for a courier's program, or for labels.
    ReceiverDisclosed {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
        /// What it was read for.
        purpose: DisclosurePurpose,
    },
    /// Staff wrote their note on the order, replacing the previous one. Visible to staff only.
    StaffNoteWritten {
        /// The note, the same key as the receiver; none: it was removed.
        note: Option<Sealed<String>>,
    },
}

/// The part of a refund that goes back with another payment than the order's: one that paid the difference of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherRefund {
    /// The payment.
    #[serde(rename = "_payment")]
    pub payment: PaymentId,
    /// The refund to make.
    #[serde(rename = "_refund")]
    pub refund: RefundId,
    /// Hundredths.
    pub amount: Amount,
}

/// What a claim gives back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundTerms {
    /// Money refunded through the gateway after `fees`, over all payments, hundredths.
    pub money: Amount,
    /// The parts of it that go back with other payments than the order's, once approved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRefund>,
    /// Points restored to their lots.
    pub points: Vec<LotPart>,
    /// Coupons returned to the coupon box, because all lines of the order they applied to are given back.
    pub coupons: Vec<IssuedCouponId>,
    /// The fares it settles. Older claims recorded none here: a fare was refunded with its last purchase.
    pub fares: Vec<FareSettlement>,
    /// Fees deducted from the money.
    pub fees: Vec<ClaimFee>,
    /// Points earned by a confirmed purchase that are taken back; partly deducted from the money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reclaimed: Option<ReclaimedPoints>,
}

domain_event!(OrderEvent {
    OrderPlaced "2.0" "주문이 접수되었습니다",
    OrderPaid "1.0" "결제가 완료되었습니다",
    DepositAwaited "1.0" "입금을 기다리고 있습니다",
    DepositWaitEnded "1.0" "입금 대기가 종료되었습니다",
    OrderCanceled "2.0" "주문이 취소되었습니다",
    PurchasePrepared "1.0" "상품을 준비하고 있습니다",
    PurchaseShipped "2.0" "상품이 발송되었습니다",
    InvoiceCorrected "1.0" "송장번호가 수정되었습니다",
    PurchaseDelayed "1.0" "배송이 지연되고 있습니다",
    PurchaseDelivered "1.0" "배송이 완료되었습니다",
    PurchaseCompleted "2.0" "구매가 확정되었습니다",
    CancelRequested "3.0" "취소가 요청되었습니다",
    CancelApproved "2.0" "취소가 승인되었습니다",
    CancelRejected "1.0" "취소가 거부되었습니다",
    CancelCompleted "1.0" "취소가 완료되었습니다",
    PurchaseSplit "2.0" "상품 일부를 나누었습니다",
    ReturnRequested "2.0" "반품이 요청되었습니다",
    GoodsPickedUp "1.0" "반품·교환 상품을 수거했습니다",
    GoodsInspected "1.0" "반품·교환 상품을 확인했습니다",
    ReturnApproved "2.0" "반품이 승인되었습니다",
    ReturnRejected "1.0" "반품이 거부되었습니다",
    GoodsSentBack "1.0" "반품·교환 상품을 다시 보냈습니다",
    ReturnCompleted "1.0" "반품이 완료되었습니다",
    ExchangeRequested "4.0" "교환이 요청되었습니다",
    ExchangeAccepted "1.0" "교환이 승인되었습니다",
    ExchangeRejected "1.0" "교환이 거부되었습니다",
    ExchangeFeeReceived "3.0" "교환 비용이 결제되었습니다",
    ExchangeFeeWaived "1.0" "교환 배송비를 받지 않기로 했습니다",
    ExchangeFeeRefunded "2.0" "교환 비용을 환불합니다",
    FeeRefundAccountGiven "1.0" "교환 배송비를 환불받을 계좌가 등록되었습니다",
    FeeRefundTransferred "1.0" "교환 배송비를 계좌로 환불했습니다",
    ReplacementShipped "1.0" "교환 상품이 발송되었습니다",
    PriceDifferenceRefunded "2.0" "교환 차액을 환불합니다",
    ReplacementDelayed "1.0" "교환 상품의 배송이 지연되고 있습니다",
    ExchangeCompleted "1.0" "교환이 완료되었습니다",
    ClaimWithdrawn "1.0" "신청이 철회되었습니다",
    GuestRecordsErased "1.0" "보관 기한이 지나 개인정보를 파기했습니다",
    ReceiverCorrected "1.0" "배송지가 수정되었습니다",
    StaffNoteWritten "1.0" "직원 메모가 변경되었습니다",
    ReceiverDisclosed "1.0" "발송을 위해 받는 분 정보를 내려받았습니다",
});
