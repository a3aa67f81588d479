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
//! | `PURCHASE_COMPLETE` | `PURCHASE_AWAITING` while a claim is open, then complete again or returned | staff |
//!
//! Claims on paid purchases are decided in `claims`, a claim on some of the pieces of a purchase splits it first (`split`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

use super::actions::Reader;
use super::cancel_reason::CancelReason;
use super::claims::Claim;
use super::commands::OrderCommand;
use super::error::OrderError;
use super::events::{CanceledBy, ConfirmedBy, FareOutcome, OrderEvent};
use super::purchase::{Invoice, Purchase};
use super::status::{OrderStatus, PurchaseStatus};
use super::terms::{Buyer, FareTerms, OrderTerms, PurchaseTerms};
use crate::business_day;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{ClaimId, PaymentId};
use crate::member::statutory_until;
use crate::money::Amount;
use crate::personal::{Party, Sealed};

/// Current state of an order. `Default` is an order that was never placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// The terms; none before it is placed. Amounts stay as frozen at placement; a split divides a line of `purchases`, and an exchange for
    /// a cheaper option lowers its price, so that the lines are the current ones and sum to the totals, less what exchanges gave back.
    /// [`Order::placed_terms`] are the terms as placed.
    pub terms: Option<Box<OrderTerms>>,
    /// State of each purchase, in the order of `terms.purchases`.
    pub purchases: Vec<Purchase>,
    /// The claims, oldest first.
    pub claims: Vec<Claim>,
    /// Outcome of each fare, by its place in `terms.fares`; without an entry it is open.
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
    /// The receiver as last corrected; none: as placed. See [`Order::receiver`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_receiver: Option<Sealed<Party>>,
    /// The note of staff, visible to staff only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staff_note: Option<Sealed<String>>,
}

/// The payment that paid an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderPayment {
    /// The payment; none if nothing was left to pay.
    pub payment: Option<PaymentId>,
    /// Hundredths.
    pub amount: Amount,
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
                payment,
            } => self.receive_fee(claim, (amount, reference, payment)),
            OrderCommand::GiveFeeAccount { claim, account } => {
                self.give_fee_account(claim, account)
            }
            OrderCommand::TransferFee { claim, reference } => self.transfer_fee(claim, reference),
            OrderCommand::WaiveFee { claim, reason, by } => self.waive_fee(claim, (reason, by)),
            OrderCommand::ShipReplacement {
                claim,
                invoice,
                auto_deliver_days,
                by,
                earned,
            } => self.ship_replacement(claim, (invoice, auto_deliver_days), (by, earned), context),
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
            OrderCommand::CorrectSentBack { claim, invoice, by } => {
                self.correct_sent_back(claim, invoice, by)
            }
            OrderCommand::CompleteClaim { claim } => self.complete_claim(claim),
            OrderCommand::EraseGuestRecords { last } => self.erase_guest_records(last, context),
            OrderCommand::CorrectReceiver { receiver, area } => {
                self.correct_receiver(receiver, area)
            }
            OrderCommand::WriteStaffNote { note } => self.write_staff_note(note),
            OrderCommand::DiscloseReceiver {
                purchase_nos,
                purpose,
            } => self.disclose_receiver(purchase_nos, purpose),
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

    /// The payment deadline. A virtual account extends it to its own expiry, which the buyer was promised; it stays when the account is
    /// given up. The agreed deadline may have passed by then, so restoring it would cancel the order of a buyer who is about to pay by
    /// card. Nothing is reserved longer than by the account itself.
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

    /// Whether it waits for a deposit into a virtual account.
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
        if let Some(due) = self.replacement_due(purchase_no, context) {
            return self.complete_exchange(due?, (auto_confirm_days, Reader::Staff), context);
        }
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

    /// The purchases with these numbers; requires at least one, without duplicates.
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
}
