//! The order ledger: what may happen to an order, and what it is after it happened.
//!
//! | purchase is at | may become | by |
//! |---|---|---|
//! | `ORDER_NONPAYMENT` | `ORDER_PAYMENT`, `ORDER_CANCELED` | payment; buyer, staff, deadline |
//! | `ORDER_PAYMENT` | `ORDER_CONFIRM`, canceled at once | seller, staff; buyer, seller, staff |
//! | `ORDER_CONFIRM` | `SHIPPING_CONFIRM`, `SHIPPING_DELAYED`; cancel requested (buyer) or canceled (staff) | seller, staff |
//! | `SHIPPING_CONFIRM`, `SHIPPING_DELAYED` | each other, `DELIVERY_COMPLETE` | seller, staff |
//! | `DELIVERY_COMPLETE` | purchase `PURCHASE_COMPLETE` | buyer, date |

use serde::{Deserialize, Serialize};
use time::{Date, Duration, OffsetDateTime};

use super::actions::Reader;
use super::cancel_reason::CancelReason;
use super::events::{
    Buyer, CanceledBy, ConfirmedBy, FareTerms, OrderEvent, OrderTerms, PurchaseTerms, RefundTerms,
};
use super::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
use crate::business_day;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{ClaimId, MemberId, PaymentId, RefundId};
use crate::member::statutory_until;
use crate::money::{Amount, MoneyError};

/// An order as it is now. `Default` is an order that was never placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// What was agreed; none before it is placed.
    pub terms: Option<Box<OrderTerms>>,
    /// Where each purchase is, in the order of `terms.purchases`.
    pub purchases: Vec<Purchase>,
    /// The claims, oldest first.
    pub claims: Vec<Claim>,
    /// How it was paid.
    pub paid: Option<Paid>,
    /// Canceled as a whole before it was paid.
    pub canceled: Option<CanceledBy>,
    /// Until when it may stay unpaid because a deposit is awaited.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::serde::rfc3339::option"
    )]
    pub deposit_until: Option<OffsetDateTime>,
    /// Of a guest's: nobody can read any more who it was with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub records_erased: bool,
}

/// Who paid an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Paid {
    /// The attempt; none when nothing was left to pay.
    pub payment: Option<PaymentId>,
    /// Hundredths.
    pub amount: Amount,
}

/// Where one purchase is: the four axes (spec section 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Purchase {
    /// Which one.
    pub purchase_no: String,
    /// Who sells it.
    pub seller: MemberId,
    /// How far it is on its way.
    pub order_status: OrderStatus,
    /// A claim on it.
    pub claim_status: ClaimStatus,
    /// Whether it is final.
    pub purchase_status: PurchaseStatus,
    /// Where returned goods are.
    pub collection_status: CollectionStatus,
    /// The parcel, once shipped.
    pub invoice: Option<Invoice>,
    /// Why it is late.
    pub delay_reason: Option<String>,
    /// The Seoul day it confirms itself, once delivered.
    #[serde(with = "business_day::day_text::option")]
    pub confirm_on: Option<Date>,
}

/// A parcel with a courier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Courier code, e.g. `kr.cjlogistics`.
    pub courier: String,
    /// Invoice (tracking) number, digits.
    pub invoice_no: String,
}

/// A cancellation of paid purchases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Which one.
    pub id: ClaimId,
    /// On which purchases.
    pub purchase_nos: Vec<String>,
    /// Who called it.
    pub by: CanceledBy,
    /// Why.
    pub reason: CancelReason,
    /// What goes back: expected while requested, final once approved.
    pub refund: RefundTerms,
    /// How far it is.
    pub state: ClaimState,
}

/// How far a cancellation is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum ClaimState {
    /// Asked for.
    Requested,
    /// Granted; goods, coupons and points are back, the money is on its way.
    Approved {
        /// The refund, none when there was no money to give back.
        refund: Option<RefundId>,
    },
    /// Refused.
    Rejected {
        /// Why.
        reason: String,
    },
    /// The money is back.
    Completed {
        /// The refund, none when there was no money to give back.
        refund: Option<RefundId>,
    },
}

/// What can be asked of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderCommand {
    /// Place it. `placing::place` decides this together with stock, coupons and points.
    Place(Box<OrderTerms>),
    /// Record that it is paid in full.
    Pay {
        /// The attempt; none when nothing was left to pay.
        payment: Option<PaymentId>,
        /// Hundredths.
        amount: Amount,
    },
    /// Record that a virtual account waits for its deposit, and wait as long as it is open.
    AwaitDeposit {
        /// The attempt.
        payment: PaymentId,
        /// When the account closes.
        until: OffsetDateTime,
    },
    /// Cancel the whole order before it is paid. `placing::cancel_unpaid` decides this together with what goes back.
    CancelUnpaid {
        /// Who calls it; the deadline only once [`Order::pay_by`] has passed.
        by: CanceledBy,
        /// Why.
        reason: Option<CancelReason>,
    },
    /// Start preparing purchases.
    Prepare {
        /// Which ones.
        purchase_nos: Vec<String>,
    },
    /// Register a tracking number: ships the purchase, or corrects the number of one already shipped.
    Ship {
        /// Which one.
        purchase_no: String,
        /// Courier code.
        courier: String,
        /// Invoice number; spaces and hyphens are dropped.
        invoice_no: String,
    },
    /// Say that it is late.
    Delay {
        /// Which one.
        purchase_no: String,
        /// What the buyer is told.
        reason: String,
    },
    /// Record that it arrived.
    Deliver {
        /// Which one.
        purchase_no: String,
        /// Days until it confirms itself (the site setting's).
        auto_confirm_days: u32,
    },
    /// The buyer confirms purchases.
    Confirm {
        /// Which ones.
        purchase_nos: Vec<String>,
    },
    /// The day to confirm itself has come.
    ConfirmByDate {
        /// Which one.
        purchase_no: String,
    },
    /// Ask to cancel paid purchases. Approved in the same decision while none is being prepared, or when staff or seller asks.
    /// `placing::request_cancel` decides this together with what goes back.
    RequestCancel {
        /// The claim.
        claim: ClaimId,
        /// The refund to make if it is approved at once.
        refund: RefundId,
        /// Which purchases.
        purchase_nos: Vec<String>,
        /// Who asks.
        by: CanceledBy,
        /// Why.
        reason: CancelReason,
    },
    /// Grant a cancellation. `placing::approve_cancel` decides this together with what goes back.
    ApproveCancel {
        /// The claim.
        claim: ClaimId,
        /// The refund to make.
        refund: RefundId,
        /// Who answers.
        by: Reader,
    },
    /// Refuse a cancellation.
    RejectCancel {
        /// The claim.
        claim: ClaimId,
        /// Why.
        reason: String,
        /// Who answers.
        by: Reader,
    },
    /// Record that the money of an approved cancellation is back.
    CompleteCancel {
        /// The claim.
        claim: ClaimId,
    },
    /// Let go of who a guest's order was with, once the time to keep it is over. A member's goes with the member.
    EraseGuestRecords {
        /// When the last thing happened to the order or to a payment of it.
        last: OffsetDateTime,
    },
}

/// Why an order refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// There is an order with this id.
    #[error("the order is placed already")]
    AlreadyPlaced,
    /// There is none.
    #[error("there is no such order")]
    NotPlaced,
    /// The frozen amounts contradict each other: a fault of ours, never of the buyer.
    #[error("the terms do not add up: {0}")]
    TermsDoNotAddUp(String),
    /// It was canceled; money that arrives now goes back.
    #[error("the order is canceled")]
    OrderCanceled,
    /// Another attempt paid it; this one's money goes back.
    #[error("the order is paid already")]
    AlreadyPaid,
    /// It has to be paid first.
    #[error("the order is not paid")]
    NotPaid,
    /// It is paid: its purchases are canceled one by one, with a refund.
    #[error("the order is paid, so its purchases have to be canceled")]
    PaidCannotCancelUnpaid,
    /// The amount is not what the order costs.
    #[error("the order costs {expected}")]
    AmountMismatch {
        /// What it costs.
        expected: Amount,
    },
    /// The day or deadline has not come.
    #[error("it is not time yet")]
    NotDue,
    /// No purchase was named.
    #[error("name at least one purchase")]
    PurchasesRequired,
    /// No purchase has this number, or it was named twice.
    #[error("there is no purchase {0}, or it was named twice")]
    UnknownPurchase(String),
    /// The purchase is not where this can happen.
    #[error("purchase {purchase_no} is at {}", .at.code())]
    WrongStatus {
        /// Which one.
        purchase_no: String,
        /// Where it is.
        at: OrderStatus,
    },
    /// The purchase is final.
    #[error("purchase {0} is confirmed or canceled")]
    Final(String),
    /// A claim on it has to be answered first.
    #[error("there is an open claim on purchase {0}")]
    ClaimOpen(String),
    /// There is no such claim.
    #[error("there is no such claim")]
    UnknownClaim,
    /// The claim was answered.
    #[error("the claim was answered already")]
    ClaimClosed,
    /// The claim is on goods of other sellers too, so staff answer it.
    #[error("the claim is on goods of several sellers; staff answer it")]
    ClaimOfSeveralSellers,
    /// The claim has to be approved first.
    #[error("the claim is not approved")]
    ClaimNotApproved,
    /// A reason has to be given.
    #[error("a reason is required")]
    ReasonRequired,
    /// A courier code and 8 to 20 digits are needed.
    #[error("a courier and an invoice number of 8 to 20 digits are required")]
    InvoiceMalformed,
    /// An amount does not fit.
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
            Self::ReasonRequired => "reason_required",
            Self::InvoiceMalformed => "invoice_malformed",
            Self::Money(_) => "amount_overflow",
        }
    }
}

decider!(Order, "order", OrderCommand, OrderEvent, OrderError);

impl Decider for Order {
    type Input = OrderCommand;

    fn decide(&self, act: OrderCommand, context: &Context) -> Result<Vec<OrderEvent>, OrderError> {
        match act {
            OrderCommand::Place(terms) => self.place(terms),
            OrderCommand::Pay { payment, amount } => self.pay(payment, amount),
            OrderCommand::AwaitDeposit { payment, until } => self.await_deposit(payment, until),
            OrderCommand::CancelUnpaid { by, reason } => self.cancel_unpaid(by, reason, context),
            OrderCommand::Prepare { purchase_nos } => self.prepare(&purchase_nos),
            OrderCommand::Ship {
                purchase_no,
                courier,
                invoice_no,
            } => self.ship(&purchase_no, courier, &invoice_no),
            OrderCommand::Delay {
                purchase_no,
                reason,
            } => self.delay(&purchase_no, reason),
            OrderCommand::Deliver {
                purchase_no,
                auto_confirm_days,
            } => self.deliver(&purchase_no, auto_confirm_days, context),
            OrderCommand::Confirm { purchase_nos } => self.confirm(&purchase_nos),
            OrderCommand::ConfirmByDate { purchase_no } => {
                self.confirm_by_date(&purchase_no, context)
            }
            OrderCommand::RequestCancel {
                claim,
                refund,
                purchase_nos,
                by,
                reason,
            } => self.request_cancel(claim, refund, purchase_nos, by, reason),
            OrderCommand::ApproveCancel { claim, refund, by } => {
                self.approve_cancel(claim, refund, by)
            }
            OrderCommand::RejectCancel { claim, reason, by } => {
                self.reject_cancel(claim, reason, by)
            }
            OrderCommand::CompleteCancel { claim } => self.complete_cancel(claim),
            OrderCommand::EraseGuestRecords { last } => self.erase_guest_records(last, context),
        }
    }
}

impl Order {
    /// What was agreed.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`].
    pub fn terms(&self) -> Result<&OrderTerms, OrderError> {
        self.terms.as_deref().ok_or(OrderError::NotPlaced)
    }

    /// Until when it may stay unpaid.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`].
    pub fn pay_by(&self) -> Result<OffsetDateTime, OrderError> {
        let agreed = self.terms()?.pay_by;
        Ok(self.deposit_until.unwrap_or(agreed))
    }

    /// Where the purchase with this number is.
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

    /// Who placed it.
    pub fn buyer(&self) -> Option<&Buyer> {
        self.terms.as_deref().map(|terms| &terms.buyer)
    }

    /// What the screen calls the status of one of its purchases (spec V106-V109). An unpaid one waits for its payment, or for the
    /// deposit where a virtual account was issued.
    pub fn status_text(&self, purchase: &Purchase) -> String {
        if purchase.order_status == OrderStatus::Nonpayment && self.deposit_until.is_some() {
            return super::DEPOSIT_AWAITED.to_owned();
        }
        super::status_text(
            purchase.order_status,
            purchase.claim_status,
            purchase.purchase_status,
        )
    }

    /// The order's own status, derived from its purchases: canceled when all are, else the least far of the others.
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

    /// Whether nothing more will happen to its money: every purchase is confirmed or canceled.
    pub fn is_done(&self) -> bool {
        self.terms.is_some()
            && self.purchases.iter().all(|purchase| {
                matches!(
                    purchase.purchase_status,
                    PurchaseStatus::Complete | PurchaseStatus::Canceled
                )
            })
    }

    /// The fares that carry this purchase.
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
        courier: String,
        invoice_no: &str,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let purchase = self.known(purchase_no)?;
        let invoice_no: String = invoice_no
            .chars()
            .filter(|letter| !matches!(letter, ' ' | '-'))
            .collect();
        let digits = (8..=20).contains(&invoice_no.len())
            && invoice_no.chars().all(|letter| letter.is_ascii_digit());
        if courier.trim().is_empty() || !digits {
            return Err(OrderError::InvoiceMalformed);
        }
        let invoice = Invoice {
            courier,
            invoice_no,
        };
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
        let confirm_on = business_day::day(context.now)
            .checked_add(Duration::days(i64::from(auto_confirm_days)))
            .unwrap_or(Date::MAX);
        Ok(vec![OrderEvent::PurchaseDelivered {
            purchase_no: purchase.purchase_no.clone(),
            confirm_on,
        }])
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

    fn request_cancel(
        &self,
        claim: ClaimId,
        refund: RefundId,
        purchase_nos: Vec<String>,
        by: CanceledBy,
        reason: CancelReason,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        if let Some(made) = self.claim(claim) {
            return if made.purchase_nos == purchase_nos {
                Ok(vec![])
            } else {
                Err(OrderError::ClaimClosed)
            };
        }
        if reason.is_missing() {
            return Err(OrderError::ReasonRequired);
        }
        let purchases = self.named(&purchase_nos)?;
        for purchase in &purchases {
            purchase.may_be_canceled()?;
        }
        let at_once = by == CanceledBy::Staff
            || purchases
                .iter()
                .all(|purchase| purchase.order_status == OrderStatus::Payment);
        let terms = self.refund_detail(Some(claim), &purchase_nos)?.terms;
        let mut events = vec![OrderEvent::CancelRequested {
            claim,
            purchase_nos,
            by,
            reason,
            refund: terms.clone(),
        }];
        if at_once {
            events.extend(approval(claim, refund, terms));
        }
        Ok(events)
    }

    fn approve_cancel(
        &self,
        claim: ClaimId,
        refund: RefundId,
        by: Reader,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(by, made)?;
        match made.state {
            ClaimState::Requested => {
                let detail = self.refund_detail(Some(claim), &made.purchase_nos)?;
                Ok(approval(claim, refund, detail.terms))
            }
            ClaimState::Approved { .. } | ClaimState::Completed { .. } => Ok(vec![]),
            ClaimState::Rejected { .. } => Err(OrderError::ClaimClosed),
        }
    }

    fn reject_cancel(
        &self,
        claim: ClaimId,
        reason: String,
        by: Reader,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(by, made)?;
        match made.state {
            ClaimState::Requested if reason.trim().is_empty() => Err(OrderError::ReasonRequired),
            ClaimState::Requested => Ok(vec![OrderEvent::CancelRejected { claim, reason }]),
            ClaimState::Rejected { .. } => Ok(vec![]),
            ClaimState::Approved { .. } | ClaimState::Completed { .. } => {
                Err(OrderError::ClaimClosed)
            }
        }
    }

    fn complete_cancel(&self, claim: ClaimId) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        match made.state {
            ClaimState::Approved { .. } => Ok(vec![OrderEvent::CancelCompleted { claim }]),
            ClaimState::Completed { .. } => Ok(vec![]),
            ClaimState::Requested | ClaimState::Rejected { .. } => {
                Err(OrderError::ClaimNotApproved)
            }
        }
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

    fn known(&self, purchase_no: &str) -> Result<&Purchase, OrderError> {
        self.terms()?;
        self.purchase(purchase_no)
            .ok_or_else(|| OrderError::UnknownPurchase(purchase_no.to_owned()))
    }

    /// The purchases named, each once, at least one.
    fn named(&self, purchase_nos: &[String]) -> Result<Vec<&Purchase>, OrderError> {
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

    /// What `event` makes of it.
    pub fn evolve(&mut self, event: OrderEvent) {
        match event {
            OrderEvent::OrderPlaced(terms) => {
                self.purchases = terms.purchases.iter().map(Purchase::placed).collect();
                self.terms = Some(terms);
            }
            OrderEvent::OrderPaid { payment, amount } => {
                self.paid = Some(Paid { payment, amount });
                for purchase in &mut self.purchases {
                    purchase.order_status = OrderStatus::Payment;
                    purchase.purchase_status = PurchaseStatus::Awaiting;
                }
            }
            OrderEvent::DepositAwaited { until, .. } => self.deposit_until = Some(until),
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
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Shipping;
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
                self.change(&purchase_no, |purchase| {
                    purchase.purchase_status = PurchaseStatus::Complete;
                });
            }
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                by,
                reason,
                refund,
            } => {
                for purchase_no in &purchase_nos {
                    self.change(purchase_no, |purchase| {
                        purchase.claim_status = ClaimStatus::CancelRequested;
                    });
                }
                self.claims.push(Claim {
                    id: claim,
                    purchase_nos,
                    by,
                    reason,
                    refund,
                    state: ClaimState::Requested,
                });
            }
            OrderEvent::CancelApproved {
                claim,
                refund,
                terms,
            } => {
                self.change_claim(claim, |made, _| {
                    made.refund = terms;
                    made.state = ClaimState::Approved { refund };
                });
            }
            OrderEvent::CancelRejected { claim, reason } => {
                self.change_claim(claim, |made, purchases| {
                    made.state = ClaimState::Rejected { reason };
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::CancelRejected;
                    }
                });
            }
            OrderEvent::CancelCompleted { claim } => {
                self.change_claim(claim, |made, purchases| {
                    if let ClaimState::Approved { refund } = made.state {
                        made.state = ClaimState::Completed { refund };
                    }
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::CancelCompleted;
                        purchase.order_status = OrderStatus::Canceled;
                        purchase.purchase_status = PurchaseStatus::Canceled;
                    }
                });
            }
        }
    }

    fn change(&mut self, purchase_no: &str, change: impl FnOnce(&mut Purchase)) {
        if let Some(purchase) = self
            .purchases
            .iter_mut()
            .find(|purchase| purchase.purchase_no == purchase_no)
        {
            change(purchase);
        }
    }

    fn change_claim(&mut self, id: ClaimId, change: impl FnOnce(&mut Claim, Vec<&mut Purchase>)) {
        if let Some(claim) = self.claims.iter_mut().find(|claim| claim.id == id) {
            let purchases = self
                .purchases
                .iter_mut()
                .filter(|purchase| claim.purchase_nos.contains(&purchase.purchase_no))
                .collect();
            change(claim, purchases);
        }
    }
}

/// The events of granting a cancellation: without money to give back it is complete at once.
fn approval(claim: ClaimId, refund: RefundId, terms: RefundTerms) -> Vec<OrderEvent> {
    if terms.money.is_zero() {
        vec![
            OrderEvent::CancelApproved {
                claim,
                refund: None,
                terms,
            },
            OrderEvent::CancelCompleted { claim },
        ]
    } else {
        vec![OrderEvent::CancelApproved {
            claim,
            refund: Some(refund),
            terms,
        }]
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
        }
    }

    pub(super) fn has_no_open_claim(&self) -> bool {
        self.claim_status.is_closed()
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
        self.is_at(&[OrderStatus::Shipping, OrderStatus::Delayed])
    }

    pub(super) fn may_be_confirmed(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Delivered])
    }

    pub(super) fn may_be_canceled(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Payment, OrderStatus::Confirm])
    }

    /// It is running, has no open claim and is at one of these.
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
