//! The order aggregate: the commands an order accepts in each status, and the state that follows from its events.
//!
//! | purchase is at | may become | by |
//! |---|---|---|
//! | `ORDER_NONPAYMENT` | `ORDER_PAYMENT`, `ORDER_CANCELED` | payment; buyer, staff, deadline |
//! | `ORDER_PAYMENT` | `ORDER_CONFIRM`, canceled at once | seller, staff; buyer, seller, staff |
//! | `ORDER_CONFIRM` | `SHIPPING_CONFIRM`, `SHIPPING_DELAYED`; cancel requested (buyer) or canceled (staff) | seller, staff |
//! | `SHIPPING_CONFIRM`, `SHIPPING_DELAYED` | each other; `DELIVERY_COMPLETE` | seller, staff; also date |
//! | `SHIPPING_DELAYED` without an invoice number | as `ORDER_CONFIRM` | as there |
//! | `DELIVERY_COMPLETE` | purchase `PURCHASE_COMPLETE` | buyer, date |
//!
//! Claims on paid purchases are decided in `claims`, a claim on some of the pieces of a purchase splits it first (`split`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

use super::actions::Reader;
use super::cancel_reason::CancelReason;
use super::claims::{CancelRequest, Claim, ClaimAnswer, Inspection, ReturnRequest};
use super::events::{
    Buyer, CanceledBy, ConfirmedBy, FareOutcome, FareTerms, Goods, OrderEvent, OrderTerms,
    PurchaseTerms,
};
use super::exchange::ExchangeRequest;
use super::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
use crate::business_day;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{ClaimId, MemberId, PaymentId};
use crate::member::statutory_until;
use crate::money::{Amount, MoneyError};

/// Current state of an order. `Default` is an order that was never placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// The terms; none before it is placed. Amounts stay as frozen when it was placed; a split divides a line of `purchases`, so
    /// that the lines are those of today and still sum to the totals. [`Order::placed_terms`] are the terms as placed.
    pub terms: Option<Box<OrderTerms>>,
    /// State of each purchase, in the order of `terms.purchases`.
    pub purchases: Vec<Purchase>,
    /// The claims, oldest first.
    pub claims: Vec<Claim>,
    /// What became of each fare, by its place in `terms.fares`; without an entry it is open.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fares: BTreeMap<u32, FareOutcome>,
    /// The payment, once paid.
    pub paid: Option<OrderPayment>,
    /// The party that canceled the order as a whole before it was paid.
    pub canceled: Option<CanceledBy>,
    /// The payment deadline as extended by an awaited deposit.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::serde::rfc3339::option"
    )]
    pub deposit_until: Option<OffsetDateTime>,
    /// That deposit is not awaited any more, though its deadline still applies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deposit_wait_ended: bool,
    /// Guest orders only: the personal data of the parties is erased.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub records_erased: bool,
}

/// The payment that paid an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderPayment {
    /// The payment; none when nothing was left to pay.
    pub payment: Option<PaymentId>,
    /// Hundredths.
    pub amount: Amount,
}

/// State of one purchase: the four status axes (spec section 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Purchase {
    /// Number of the purchase.
    pub purchase_no: String,
    /// The seller.
    pub seller: MemberId,
    /// Order status.
    pub order_status: OrderStatus,
    /// Claim status.
    pub claim_status: ClaimStatus,
    /// Whether it is final.
    pub purchase_status: PurchaseStatus,
    /// Collection status of returned goods.
    pub collection_status: CollectionStatus,
    /// The parcel, once shipped.
    pub invoice: Option<Invoice>,
    /// Reason of the delay.
    pub delay_reason: Option<String>,
    /// The Seoul day on which it is confirmed automatically, once delivered.
    #[serde(with = "business_day::day_text::option")]
    pub confirm_on: Option<Date>,
    /// The Seoul day on which it counts as delivered if its delivery is not reported, once shipped; none where it was not recorded.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "business_day::day_text::option"
    )]
    pub deliver_by: Option<Date>,
    /// The purchase it was split off; none for a purchase as placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_from: Option<String>,
    /// The seller's part of its coupons as a split divided it, hundredths; none: as computed from the terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub borne_by_seller: Option<Amount>,
    /// The goods as ordered, once an exchange replaced them; the terms have those of today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordered: Option<Box<Goods>>,
}

/// A parcel handed to a courier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Courier code, e.g. `kr.cjlogistics`.
    pub courier: String,
    /// Invoice (tracking) number, digits.
    pub invoice_no: String,
}

impl Invoice {
    /// The invoice with its number in digits; spaces and hyphens are dropped.
    pub(super) fn checked(self) -> Result<Self, OrderError> {
        let invoice_no: String = self
            .invoice_no
            .chars()
            .filter(|letter| !matches!(letter, ' ' | '-'))
            .collect();
        let digits = (8..=20).contains(&invoice_no.len())
            && invoice_no.chars().all(|letter| letter.is_ascii_digit());
        if self.courier.trim().is_empty() || !digits {
            return Err(OrderError::InvoiceMalformed);
        }
        Ok(Self { invoice_no, ..self })
    }
}

/// Commands accepted by an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderCommand {
    /// Place the order. Decided by `checkout::place` together with stock, coupons and points.
    Place(Box<OrderTerms>),
    /// Record that it is paid in full.
    Pay {
        /// The payment; none when nothing was left to pay.
        payment: Option<PaymentId>,
        /// Hundredths.
        amount: Amount,
    },
    /// Record that a virtual account was issued, and extend the payment deadline to its expiry.
    AwaitDeposit {
        /// The payment.
        payment: PaymentId,
        /// Expiry of the virtual account.
        until: OffsetDateTime,
    },
    /// Record that no deposit is awaited any more, because the account of this payment is given up. Nothing to record where none is
    /// awaited.
    EndDepositWait {
        /// The payment.
        payment: PaymentId,
    },
    /// Cancel the whole order before it is paid. Decided by `checkout::cancel_unpaid` together with what is given back.
    CancelUnpaid {
        /// The party that cancels; the deadline only after [`Order::pay_by`].
        by: CanceledBy,
        /// The reason.
        reason: Option<CancelReason>,
    },
    /// Start preparing purchases.
    Prepare {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
    },
    /// Register a tracking number: ships the purchase, or corrects the number of a shipped one.
    Ship {
        /// Number of the purchase.
        purchase_no: String,
        /// Courier code.
        courier: String,
        /// Invoice number; spaces and hyphens are dropped.
        invoice_no: String,
        /// Days until it counts as delivered (from the site setting).
        auto_deliver_days: u32,
    },
    /// Record a delay.
    Delay {
        /// Number of the purchase.
        purchase_no: String,
        /// The reason shown to the buyer.
        reason: String,
    },
    /// Record the delivery.
    Deliver {
        /// Number of the purchase.
        purchase_no: String,
        /// Days until automatic confirmation (from the site setting).
        auto_confirm_days: u32,
    },
    /// Record that a purchase counts as delivered, because its delivery was not reported until its day.
    DeliverByDate {
        /// Number of the purchase.
        purchase_no: String,
        /// The Seoul day of the deadline, for purchases whose day was not recorded.
        day: Date,
        /// Days until automatic confirmation (from the site setting).
        auto_confirm_days: u32,
    },
    /// Confirm purchases as the buyer.
    Confirm {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
    },
    /// Confirm a purchase automatically on its due day.
    ConfirmByDate {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// Request the cancellation of paid purchases, or of some of their pieces: a claim for each seller and stage. One is approved in
    /// the same decision if its purchases are not prepared, or if staff or the seller requests it. Decided by
    /// `checkout::request_cancel` together with what is given back.
    RequestCancel(Box<CancelRequest>),
    /// Request the return of a sent purchase, or of some of its pieces.
    RequestReturn(Box<ReturnRequest>),
    /// Request the exchange of a delivered purchase, or of some of its pieces.
    RequestExchange(Box<ExchangeRequest>),
    /// Accept an exchange. Decided by `checkout::decide_claim` together with the stock of the replacement, as are the rejection,
    /// withdrawal, inspection and replacement of an exchange.
    AcceptExchange {
        /// The claim.
        claim: ClaimId,
        /// The reader who answers.
        by: Reader,
    },
    /// Record that the buyer's fee of an exchange arrived in the shop's bank account.
    ReceiveFee {
        /// The claim.
        claim: ClaimId,
        /// Hundredths.
        amount: Amount,
        /// What the bank calls the transfer.
        reference: String,
    },
    /// Send the replacement of an exchange, or correct the invoice number of its parcel.
    ShipReplacement {
        /// The claim.
        claim: ClaimId,
        /// The parcel.
        invoice: Invoice,
        /// The reader who sends it.
        by: Reader,
    },
    /// Record that the replacement is delayed.
    DelayReplacement {
        /// The claim.
        claim: ClaimId,
        /// The reason shown to the buyer.
        reason: String,
        /// The reader who reports it.
        by: Reader,
    },
    /// Record the delivery of the replacement.
    CompleteExchange {
        /// The claim.
        claim: ClaimId,
        /// Days until automatic confirmation (from the site setting).
        auto_confirm_days: u32,
        /// The reader who reports it.
        by: Reader,
    },
    /// Withdraw a claim as the buyer: a cancellation until it is answered, a return or exchange until the goods are picked up.
    WithdrawClaim {
        /// The claim.
        claim: ClaimId,
    },
    /// Record that a courier picked up the goods of a return or exchange.
    PickUpGoods {
        /// The claim.
        claim: ClaimId,
        /// The parcel, if it has a number.
        invoice: Option<Invoice>,
        /// The reader who reports it.
        by: Reader,
    },
    /// Record what arrived of a return or exchange and its condition. Pieces that did not arrive are split off, and their claim is
    /// rejected.
    InspectGoods {
        /// The claim.
        claim: ClaimId,
        /// What was found.
        inspection: Inspection,
        /// The reader who inspected it.
        by: Reader,
    },
    /// Approve a claim. Decided by `checkout::approve_claim` together with what is given back.
    ApproveClaim(Box<ClaimAnswer>),
    /// Reject a claim.
    RejectClaim {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
        /// The parcel the goods go back with; required once they were picked up.
        invoice: Option<Invoice>,
        /// The reader who answers.
        by: Reader,
    },
    /// Record that the refund of an approved claim is completed.
    CompleteClaim {
        /// The claim.
        claim: ClaimId,
    },
    /// Erase the parties of a guest order after its retention period. A member's are erased with the member.
    EraseGuestRecords {
        /// Time of the last event of the order or of its payments.
        last: OffsetDateTime,
    },
}

/// Reasons why an order rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// An order with this id exists.
    #[error("the order has been placed already")]
    AlreadyPlaced,
    /// The order does not exist.
    #[error("there is no such order")]
    NotPlaced,
    /// The frozen amounts are inconsistent: a defect of the program, not of the buyer's input.
    #[error("the terms do not add up: {0}")]
    TermsDoNotAddUp(String),
    /// The order is canceled; money that arrives is refunded.
    #[error("the order is canceled")]
    OrderCanceled,
    /// Another payment paid the order; this one is refunded.
    #[error("the order has been paid already")]
    AlreadyPaid,
    /// The order is not paid.
    #[error("the order is not paid")]
    NotPaid,
    /// The order is paid: its purchases are canceled individually, with a refund.
    #[error("the order is paid, so its purchases have to be canceled")]
    PaidCannotCancelUnpaid,
    /// The amount differs from the order's payable amount.
    #[error("the amount has to be {expected}")]
    AmountMismatch {
        /// The payable amount.
        expected: Amount,
    },
    /// The day or deadline has not been reached.
    #[error("the day or deadline has not been reached")]
    NotDue,
    /// No purchase is named.
    #[error("name at least one purchase")]
    PurchasesRequired,
    /// A purchase number is unknown or named twice.
    #[error("purchase {0} is unknown or named twice")]
    UnknownPurchase(String),
    /// The status of the purchase does not allow the command.
    #[error("not allowed for purchase {purchase_no} at {}", .at.code())]
    WrongStatus {
        /// Number of the purchase.
        purchase_no: String,
        /// Its order status.
        at: OrderStatus,
    },
    /// The purchase is final.
    #[error("purchase {0} is final")]
    Final(String),
    /// An open claim on the purchase has to be answered first.
    #[error("there is an open claim on purchase {0}")]
    ClaimOpen(String),
    /// The claim does not exist.
    #[error("there is no such claim")]
    UnknownClaim,
    /// The claim has been answered.
    #[error("the claim has been answered already")]
    ClaimClosed,
    /// The claim covers goods of other sellers, so only staff may answer it.
    #[error("the claim covers goods of several sellers; only staff may answer it")]
    ClaimOfSeveralSellers,
    /// The claim is not approved.
    #[error("the claim is not approved")]
    ClaimNotApproved,
    /// The number of pieces is zero or exceeds what the purchase or the claim holds.
    #[error("the number of pieces of {purchase_no} has to be from 1 to {most}")]
    PiecesOutOfRange {
        /// Number of the purchase.
        purchase_no: String,
        /// The most it may be.
        most: u32,
    },
    /// A split would give the order more purchases than [`super::PURCHASES_MOST`].
    #[error("the order cannot be divided into more purchases")]
    TooManyPurchases,
    /// The goods of the claim are not where the command needs them: not picked up, not inspected, or picked up already.
    #[error("the goods of the claim are at {}", .at.code())]
    WrongCollection {
        /// Where they are.
        at: CollectionStatus,
    },
    /// The buyer has to pay the fee of an exchange before its replacement is sent.
    #[error("the buyer has to pay {due} first")]
    FeeDue {
        /// The fee.
        due: Amount,
    },
    /// The replacement of the exchange is not on its way.
    #[error("the replacement is not on its way")]
    ReplacementNotSent,
    /// The reason is missing.
    #[error("a reason is required")]
    ReasonRequired,
    /// The courier code is missing, or the invoice number does not have 8 to 20 digits.
    #[error("a courier and an invoice number of 8 to 20 digits are required")]
    InvoiceMalformed,
    /// An amount overflows.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl OrderError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlreadyPlaced => "already_placed",
            Self::NotPlaced => "order_not_found",
            Self::TermsDoNotAddUp(_) => "terms_do_not_add_up",
            Self::OrderCanceled => "order_canceled",
            Self::AlreadyPaid => "already_paid",
            Self::NotPaid => "order_unpaid",
            Self::PaidCannotCancelUnpaid => "order_paid",
            Self::AmountMismatch { .. } => "amount_mismatch",
            Self::NotDue => "not_due",
            Self::PurchasesRequired => "purchases_required",
            Self::UnknownPurchase(_) => "purchase_not_found",
            Self::WrongStatus { .. } => "wrong_status",
            Self::Final(_) => "purchase_final",
            Self::ClaimOpen(_) => "claim_open",
            Self::UnknownClaim => "claim_not_found",
            Self::ClaimClosed => "claim_closed",
            Self::ClaimOfSeveralSellers => "claim_of_several_sellers",
            Self::ClaimNotApproved => "claim_not_approved",
            Self::PiecesOutOfRange { .. } => "pieces_out_of_range",
            Self::TooManyPurchases => "too_many_purchases",
            Self::WrongCollection { .. } => "wrong_collection",
            Self::FeeDue { .. } => "fee_due",
            Self::ReplacementNotSent => "replacement_not_sent",
            Self::ReasonRequired => "reason_required",
            Self::InvoiceMalformed => "invoice_malformed",
            Self::Money(_) => "amount_overflow",
        }
    }
}

decider!(Order, "order", OrderCommand, OrderEvent, OrderError);

impl Decider for Order {
    type Input = OrderCommand;

    fn decide(
        &self,
        command: OrderCommand,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        match command {
            OrderCommand::Place(terms) => self.place(terms),
            OrderCommand::Pay { payment, amount } => self.pay(payment, amount),
            OrderCommand::AwaitDeposit { payment, until } => self.await_deposit(payment, until),
            OrderCommand::EndDepositWait { payment } => self.end_deposit_wait(payment),
            OrderCommand::CancelUnpaid { by, reason } => self.cancel_unpaid(by, reason, context),
            OrderCommand::Prepare { purchase_nos } => self.prepare(&purchase_nos),
            OrderCommand::Ship {
                purchase_no,
                courier,
                invoice_no,
                auto_deliver_days,
            } => self.ship(
                &purchase_no,
                (courier, &invoice_no),
                auto_deliver_days,
                context,
            ),
            OrderCommand::Delay {
                purchase_no,
                reason,
            } => self.delay(&purchase_no, reason),
            OrderCommand::Deliver {
                purchase_no,
                auto_confirm_days,
            } => self.deliver(&purchase_no, auto_confirm_days, context),
            OrderCommand::DeliverByDate {
                purchase_no,
                day,
                auto_confirm_days,
            } => self.deliver_by_date(&purchase_no, day, auto_confirm_days, context),
            OrderCommand::Confirm { purchase_nos } => self.confirm(&purchase_nos),
            OrderCommand::ConfirmByDate { purchase_no } => {
                self.confirm_by_date(&purchase_no, context)
            }
            OrderCommand::RequestCancel(request) => self.request_cancel(*request),
            OrderCommand::RequestReturn(request) => self.request_return(*request, context),
            OrderCommand::RequestExchange(request) => self.request_exchange(*request, context),
            OrderCommand::AcceptExchange { claim, by } => self.accept_exchange(claim, by),
            OrderCommand::ReceiveFee {
                claim,
                amount,
                reference,
            } => self.receive_fee(claim, (amount, reference)),
            OrderCommand::ShipReplacement { claim, invoice, by } => {
                self.ship_replacement(claim, (invoice, by))
            }
            OrderCommand::DelayReplacement { claim, reason, by } => {
                self.delay_replacement(claim, (reason, by))
            }
            OrderCommand::CompleteExchange {
                claim,
                auto_confirm_days,
                by,
            } => self.complete_exchange(claim, (auto_confirm_days, by), context),
            OrderCommand::WithdrawClaim { claim } => self.withdraw_claim(claim, context),
            OrderCommand::PickUpGoods { claim, invoice, by } => {
                self.pick_up_goods(claim, invoice, by)
            }
            OrderCommand::InspectGoods {
                claim,
                inspection,
                by,
            } => self.inspect_goods(claim, inspection, by, context),
            OrderCommand::ApproveClaim(answer) => self.approve_claim(&answer),
            OrderCommand::RejectClaim {
                claim,
                reason,
                invoice,
                by,
            } => self.reject_claim(claim, reason, (invoice, by), context),
            OrderCommand::CompleteClaim { claim } => self.complete_claim(claim),
            OrderCommand::EraseGuestRecords { last } => self.erase_guest_records(last, context),
        }
    }
}

impl Order {
    /// The frozen terms.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`].
    pub fn terms(&self) -> Result<&OrderTerms, OrderError> {
        self.terms.as_deref().ok_or(OrderError::NotPlaced)
    }

    /// The payment deadline. A virtual account extends it to its expiry, which was promised to the buyer; it stays when the account
    /// is given up. The agreed deadline may have passed by then, so going back to it would cancel the order of a buyer who just
    /// turns to a card. Nothing is held longer than by the account itself.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`].
    pub fn pay_by(&self) -> Result<OffsetDateTime, OrderError> {
        let agreed = self.terms()?.pay_by;
        Ok(self.deposit_until.unwrap_or(agreed))
    }

    /// The purchase with this number.
    pub fn purchase(&self, purchase_no: &str) -> Option<&Purchase> {
        self.purchases
            .iter()
            .find(|purchase| purchase.purchase_no == purchase_no)
    }

    /// The frozen terms of the purchase with this number.
    pub fn purchase_terms(&self, purchase_no: &str) -> Option<&PurchaseTerms> {
        self.terms
            .as_deref()?
            .purchases
            .iter()
            .find(|terms| terms.purchase_no == purchase_no)
    }

    /// The claim with this id.
    pub fn claim(&self, id: ClaimId) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }

    /// The buyer.
    pub fn buyer(&self) -> Option<&Buyer> {
        self.terms.as_deref().map(|terms| &terms.buyer)
    }

    /// Whether it waits for the deposit into a virtual account.
    pub fn awaits_deposit(&self) -> bool {
        self.deposit_until.is_some()
            && !self.deposit_wait_ended
            && self.paid.is_none()
            && self.canceled.is_none()
    }

    /// The displayed status of one of its purchases (spec V106-V109).
    pub fn status_text(&self, purchase: &Purchase) -> String {
        purchase.status_text(self.awaits_deposit())
    }

    /// Status of the order, derived from its purchases: canceled if all are, else the least advanced of the others.
    pub fn status(&self) -> OrderStatus {
        const LEAST_FAR_FIRST: [OrderStatus; 6] = [
            OrderStatus::Nonpayment,
            OrderStatus::Payment,
            OrderStatus::Confirm,
            OrderStatus::Delayed,
            OrderStatus::Shipping,
            OrderStatus::Delivered,
        ];
        LEAST_FAR_FIRST
            .into_iter()
            .find(|status| {
                self.purchases
                    .iter()
                    .any(|purchase| purchase.order_status == *status)
            })
            .unwrap_or(OrderStatus::Canceled)
    }

    /// Whether no more money moves: every purchase is confirmed or canceled.
    pub fn is_done(&self) -> bool {
        self.terms.is_some()
            && self.purchases.iter().all(|purchase| {
                matches!(
                    purchase.purchase_status,
                    PurchaseStatus::Complete | PurchaseStatus::Canceled
                )
            })
    }

    /// The fares of the parcels that carry this purchase.
    pub fn fares_of<'a>(&'a self, purchase_no: &'a str) -> impl Iterator<Item = &'a FareTerms> {
        self.terms
            .as_deref()
            .into_iter()
            .flat_map(|terms| &terms.fares)
            .filter(move |fare| fare.purchase_nos.iter().any(|no| no == purchase_no))
    }

    fn place(&self, terms: Box<OrderTerms>) -> Result<Vec<OrderEvent>, OrderError> {
        if self.terms.is_some() {
            return Err(OrderError::AlreadyPlaced);
        }
        super::terms::check(&terms)?;
        Ok(vec![OrderEvent::OrderPlaced(terms)])
    }

    fn pay(
        &self,
        payment: Option<PaymentId>,
        amount: Amount,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let terms = self.terms()?;
        if self.canceled.is_some() {
            return Err(OrderError::OrderCanceled);
        }
        if let Some(paid) = self.paid {
            return if paid.payment == payment {
                Ok(vec![])
            } else {
                Err(OrderError::AlreadyPaid)
            };
        }
        let expected = terms.totals.payable;
        if amount != expected || payment.is_some() == expected.is_zero() {
            return Err(OrderError::AmountMismatch { expected });
        }
        Ok(vec![OrderEvent::OrderPaid { payment, amount }])
    }

    fn await_deposit(
        &self,
        payment: PaymentId,
        until: OffsetDateTime,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let until = until.max(self.pay_by()?);
        if self.canceled.is_some() {
            return Err(OrderError::OrderCanceled);
        }
        if self.paid.is_some() {
            return Err(OrderError::AlreadyPaid);
        }
        Ok(vec![OrderEvent::DepositAwaited { payment, until }])
    }

    fn end_deposit_wait(&self, payment: PaymentId) -> Result<Vec<OrderEvent>, OrderError> {
        self.terms()?;
        Ok(match self.awaits_deposit() {
            true => vec![OrderEvent::DepositWaitEnded { payment }],
            false => vec![],
        })
    }

    fn cancel_unpaid(
        &self,
        by: CanceledBy,
        reason: Option<CancelReason>,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let pay_by = self.pay_by()?;
        if self.canceled.is_some() {
            return Ok(vec![]);
        }
        if self.paid.is_some() {
            return Err(OrderError::PaidCannotCancelUnpaid);
        }
        if by == CanceledBy::Deadline && context.now < pay_by {
            return Err(OrderError::NotDue);
        }
        Ok(vec![OrderEvent::OrderCanceled { by, reason }])
    }

    fn prepare(&self, purchase_nos: &[String]) -> Result<Vec<OrderEvent>, OrderError> {
        let mut events = Vec::new();
        for purchase in self.named(purchase_nos)? {
            if purchase.order_status == OrderStatus::Confirm && purchase.has_no_open_claim() {
                continue;
            }
            purchase.may_be_prepared()?;
            events.push(OrderEvent::PurchasePrepared {
                purchase_no: purchase.purchase_no.clone(),
            });
        }
        Ok(events)
    }

    fn ship(
        &self,
        purchase_no: &str,
        (courier, invoice_no): (String, &str),
        auto_deliver_days: u32,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let purchase = self.known(purchase_no)?;
        let invoice = Invoice {
            courier,
            invoice_no: invoice_no.to_owned(),
        };
        let invoice = invoice.checked()?;
        if purchase.may_correct_invoice().is_ok() {
            if purchase.invoice.as_ref() == Some(&invoice) {
                return Ok(vec![]);
            }
            return Ok(vec![OrderEvent::InvoiceCorrected {
                purchase_no: purchase.purchase_no.clone(),
                courier: invoice.courier,
                invoice_no: invoice.invoice_no,
            }]);
        }
        purchase.may_be_shipped()?;
        Ok(vec![OrderEvent::PurchaseShipped {
            purchase_no: purchase.purchase_no.clone(),
            courier: invoice.courier,
            invoice_no: invoice.invoice_no,
            deliver_by: Some(business_day::after(context.now, auto_deliver_days)),
        }])
    }

    fn delay(&self, purchase_no: &str, reason: String) -> Result<Vec<OrderEvent>, OrderError> {
        let purchase = self.known(purchase_no)?;
        if reason.trim().is_empty() {
            return Err(OrderError::ReasonRequired);
        }
        purchase.may_be_delayed()?;
        if purchase.order_status == OrderStatus::Delayed
            && purchase.delay_reason.as_ref() == Some(&reason)
        {
            return Ok(vec![]);
        }
        Ok(vec![OrderEvent::PurchaseDelayed {
            purchase_no: purchase.purchase_no.clone(),
            reason,
        }])
    }

    fn deliver(
        &self,
        purchase_no: &str,
        auto_confirm_days: u32,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let purchase = self.known(purchase_no)?;
        if purchase.order_status == OrderStatus::Delivered {
            return Ok(vec![]);
        }
        purchase.may_be_delivered()?;
        Ok(vec![OrderEvent::PurchaseDelivered {
            purchase_no: purchase.purchase_no.clone(),
            confirm_on: business_day::after(context.now, auto_confirm_days),
        }])
    }

    fn deliver_by_date(
        &self,
        purchase_no: &str,
        day: Date,
        auto_confirm_days: u32,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let events = self.deliver(purchase_no, auto_confirm_days, context)?;
        let day = self.known(purchase_no)?.deliver_by.unwrap_or(day);
        match events.is_empty() || business_day::day(context.now) >= day {
            true => Ok(events),
            false => Err(OrderError::NotDue),
        }
    }

    fn confirm(&self, purchase_nos: &[String]) -> Result<Vec<OrderEvent>, OrderError> {
        let mut events = Vec::new();
        for purchase in self.named(purchase_nos)? {
            if purchase.purchase_status == PurchaseStatus::Complete {
                continue;
            }
            purchase.may_be_confirmed()?;
            events.push(OrderEvent::PurchaseCompleted {
                purchase_no: purchase.purchase_no.clone(),
                by: ConfirmedBy::Buyer,
            });
        }
        Ok(events)
    }

    fn confirm_by_date(
        &self,
        purchase_no: &str,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let purchase = self.known(purchase_no)?;
        if purchase.purchase_status == PurchaseStatus::Complete {
            return Ok(vec![]);
        }
        purchase.may_be_confirmed()?;
        if purchase
            .confirm_on
            .is_none_or(|day| business_day::day(context.now) < day)
        {
            return Err(OrderError::NotDue);
        }
        Ok(vec![OrderEvent::PurchaseCompleted {
            purchase_no: purchase.purchase_no.clone(),
            by: ConfirmedBy::Date,
        }])
    }

    fn erase_guest_records(
        &self,
        last: OffsetDateTime,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let is_guest = matches!(self.terms()?.buyer, Buyer::Guest { .. });
        match self.records_erased {
            true => Ok(vec![]),
            false if is_guest && context.now >= statutory_until(last) => {
                Ok(vec![OrderEvent::GuestRecordsErased {}])
            }
            false => Err(OrderError::NotDue),
        }
    }

    pub(super) fn known(&self, purchase_no: &str) -> Result<&Purchase, OrderError> {
        self.terms()?;
        self.purchase(purchase_no)
            .ok_or_else(|| OrderError::UnknownPurchase(purchase_no.to_owned()))
    }

    /// The purchases with these numbers; at least one, each once.
    pub(super) fn named(&self, purchase_nos: &[String]) -> Result<Vec<&Purchase>, OrderError> {
        if purchase_nos.is_empty() {
            return Err(OrderError::PurchasesRequired);
        }
        let mut found: Vec<&Purchase> = Vec::with_capacity(purchase_nos.len());
        for purchase_no in purchase_nos {
            let purchase = self.known(purchase_no)?;
            if found
                .iter()
                .any(|other| other.purchase_no == purchase.purchase_no)
            {
                return Err(OrderError::UnknownPurchase(purchase_no.clone()));
            }
            found.push(purchase);
        }
        Ok(found)
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: OrderEvent) {
        match event {
            OrderEvent::OrderPlaced(terms) => {
                self.purchases = terms.purchases.iter().map(Purchase::placed).collect();
                self.terms = Some(terms);
            }
            OrderEvent::OrderPaid { payment, amount } => {
                self.paid = Some(OrderPayment { payment, amount });
                for purchase in &mut self.purchases {
                    purchase.order_status = OrderStatus::Payment;
                    purchase.purchase_status = PurchaseStatus::Awaiting;
                }
            }
            OrderEvent::DepositAwaited { until, .. } => {
                self.deposit_until = Some(until);
                self.deposit_wait_ended = false;
            }
            OrderEvent::DepositWaitEnded { .. } => self.deposit_wait_ended = true,
            OrderEvent::GuestRecordsErased {} => self.records_erased = true,
            OrderEvent::OrderCanceled { by, .. } => {
                self.canceled = Some(by);
                for purchase in &mut self.purchases {
                    purchase.order_status = OrderStatus::Canceled;
                    purchase.purchase_status = PurchaseStatus::Canceled;
                }
            }
            OrderEvent::PurchasePrepared { purchase_no } => {
                self.change(&purchase_no, |purchase| {
                    purchase.order_status = OrderStatus::Confirm;
                });
            }
            OrderEvent::PurchaseShipped {
                purchase_no,
                courier,
                invoice_no,
                deliver_by,
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Shipping;
                purchase.deliver_by = deliver_by;
                purchase.invoice = Some(Invoice {
                    courier,
                    invoice_no,
                });
            }),
            OrderEvent::InvoiceCorrected {
                purchase_no,
                courier,
                invoice_no,
            } => self.change(&purchase_no, |purchase| {
                purchase.invoice = Some(Invoice {
                    courier,
                    invoice_no,
                });
            }),
            OrderEvent::PurchaseDelayed {
                purchase_no,
                reason,
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Delayed;
                purchase.delay_reason = Some(reason);
            }),
            OrderEvent::PurchaseDelivered {
                purchase_no,
                confirm_on,
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Delivered;
                purchase.purchase_status = PurchaseStatus::Schedule;
                purchase.confirm_on = Some(confirm_on);
            }),
            OrderEvent::PurchaseCompleted { purchase_no, .. } => {
                self.earn_fares(&purchase_no);
                self.change(&purchase_no, |purchase| {
                    purchase.purchase_status = PurchaseStatus::Complete;
                });
            }
            OrderEvent::PurchaseSplit {
                from,
                purchase_no,
                part,
            } => self.take_split(&from, purchase_no, part),
            event => self.evolve_claim(event),
        }
    }

    pub(super) fn change(&mut self, purchase_no: &str, change: impl FnOnce(&mut Purchase)) {
        if let Some(purchase) = self
            .purchases
            .iter_mut()
            .find(|purchase| purchase.purchase_no == purchase_no)
        {
            change(purchase);
        }
    }
}

impl Purchase {
    fn placed(terms: &PurchaseTerms) -> Self {
        Self {
            purchase_no: terms.purchase_no.clone(),
            seller: terms.seller,
            order_status: OrderStatus::Nonpayment,
            claim_status: ClaimStatus::None,
            purchase_status: PurchaseStatus::Pending,
            collection_status: CollectionStatus::None,
            invoice: None,
            delay_reason: None,
            confirm_on: None,
            deliver_by: None,
            split_from: None,
            borne_by_seller: None,
            ordered: None,
        }
    }

    /// The displayed status (spec V106-V109). An unpaid purchase awaits its payment, or the deposit while the order's virtual
    /// account is open.
    pub fn status_text(&self, awaits_deposit: bool) -> String {
        if self.order_status == OrderStatus::Nonpayment && awaits_deposit {
            return super::DEPOSIT_AWAITED.to_owned();
        }
        super::status_text(self.order_status, self.claim_status, self.purchase_status)
    }

    pub(super) fn has_no_open_claim(&self) -> bool {
        self.claim_status.is_closed()
    }

    /// Whether it was handed to a courier. A delay may be reported before and after that, so `SHIPPING_DELAYED` alone does not say.
    pub(super) fn is_sent(&self) -> bool {
        self.invoice.is_some()
    }

    pub(super) fn may_be_prepared(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Payment])
    }

    pub(super) fn may_be_shipped(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Confirm, OrderStatus::Delayed])
    }

    pub(super) fn may_correct_invoice(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Shipping])
    }

    pub(super) fn may_be_delayed(&self) -> Result<(), OrderError> {
        self.is_at(&[
            OrderStatus::Confirm,
            OrderStatus::Shipping,
            OrderStatus::Delayed,
        ])
    }

    pub(super) fn may_be_delivered(&self) -> Result<(), OrderError> {
        self.is_at(match self.is_sent() {
            true => &[OrderStatus::Shipping, OrderStatus::Delayed],
            false => &[],
        })
    }

    pub(super) fn may_be_confirmed(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Delivered])
    }

    pub(super) fn may_be_canceled(&self) -> Result<(), OrderError> {
        self.is_at(match self.is_sent() {
            true => &[],
            false => &[
                OrderStatus::Payment,
                OrderStatus::Confirm,
                OrderStatus::Delayed,
            ],
        })
    }

    pub(super) fn may_be_returned(&self) -> Result<(), OrderError> {
        self.is_at(match self.is_sent() {
            true => &[
                OrderStatus::Shipping,
                OrderStatus::Delayed,
                OrderStatus::Delivered,
            ],
            false => &[],
        })
    }

    pub(super) fn may_be_exchanged(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Delivered])
    }

    /// Checks that the purchase is not final, has no open claim and has one of these statuses.
    fn is_at(&self, statuses: &[OrderStatus]) -> Result<(), OrderError> {
        if !self.has_no_open_claim() {
            return Err(OrderError::ClaimOpen(self.purchase_no.clone()));
        }
        match self.purchase_status {
            PurchaseStatus::Pending => Err(OrderError::NotPaid),
            PurchaseStatus::Complete | PurchaseStatus::Canceled => {
                Err(OrderError::Final(self.purchase_no.clone()))
            }
            PurchaseStatus::Awaiting | PurchaseStatus::Schedule
                if statuses.contains(&self.order_status) =>
            {
                Ok(())
            }
            PurchaseStatus::Awaiting | PurchaseStatus::Schedule => Err(OrderError::WrongStatus {
                purchase_no: self.purchase_no.clone(),
                at: self.order_status,
            }),
        }
    }
}
