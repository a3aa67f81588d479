//! Double-entry accounting: the accounts each event moves money between. Every event's entries sum to zero, and so does the log.
//!
//! Positive entries are debits (what the shop has or has spent), negative ones credits (what it owes).
//!
//! | event | debit | credit |
//! |---|---|---|
//! | `PaymentApproved` | gateway | unapplied(order) |
//! | `OrderPaid` | unapplied(order) | held(order) |
//! | `PointsGranted` | promotion expense(platform) | points liability |
//! | `PointsSpent` | points liability | held(order) |
//! | `PointsRestored` | held(order): restored and lost | points liability: restored; promotion expense(platform): lost |
//! | `PointsExpired`, `PointsRevoked`, `PointsTaken` | points liability | promotion expense(platform) |
//! | `PurchaseCompleted` | held(order): paid and points; promotion expense(platform): level discount and its part of coupons; promotion expense(seller): theirs | seller payable: goods less product discount; with the first completed purchase of a fare, the fare before coupons |
//! | `CancelApproved`, `ReturnApproved` | held(order): the money, the fees and earned points paid with money; as a confirmed purchase, for each fare it leaves to the seller | unapplied(order): the money; seller payable: the fees; promotion expense(platform): the earned points |
//! | `ReturnApproved` of a purchase confirmed before | the credits of its confirmation, and of its fare if that goes back | their debits |
//! | `PriceDifferenceRefunded` | held(order): the money and earned points paid with money | unapplied(order): the money; promotion expense(platform): the earned points |
//! | `PriceDifferenceRefunded` of a purchase confirmed before | the credits of its confirmation | their debits; its confirmation as it is after the exchange |
//! | `RefundCompleted` | unapplied(order) | gateway |
//! | `RefundTransferred` | unapplied(order) | bank |
//! | `ExchangeFeeReceived` | bank; unapplied(order) if it was paid through the gateway | seller payable: the fee; held(order): the difference of a dearer option |
//! | `ExchangeFeeRefunded` | seller payable: the fee; held(order): the difference | unapplied(order) |
//! | `FeeRefundTransferred` | unapplied(order) | bank |
//! | first `ReplacementShipped` of a dearer option for a purchase confirmed before | the credits of its confirmation | their debits; its confirmation as it is after the exchange |
//!
//! - **held(order)** is what the buyer gave for goods that are not final: money once paid, points once spent. It is never below zero,
//!   and zero when every purchase is confirmed or canceled.
//! - **unapplied(order)** is the buyer's money that no order holds: just arrived, on its way back, or paid for an order that was
//!   canceled meanwhile.
//! - **promotion expense(seller)** is what a seller has to bear of coupons; settling charges it against the seller payable.
//! - A product discount is the seller's own price and never enters the books. Whatever else happens moves no money.
//!
//! Some entries need earlier state (the frozen terms of an order, the order of a payment), so events come with the state of their
//! stream before them. [`LedgerReplayer`] maintains those states while a log is read.

mod ledger;

pub use ledger::*;

use std::fmt;
use std::str::FromStr;

use crate::ids::{ClaimId, MemberId, OrderId};
use crate::money::{Amount, MoneyError};
use crate::order::{FareOutcome, FareTerms, Order, OrderError, OrderEvent, RefundTerms};
use crate::payment::{Payment, PaymentEvent};
use crate::points::PointsEvent;

/// Party that funds a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bearer {
    /// The platform.
    Platform,
    /// A seller.
    Seller(MemberId),
}

/// An account of the general ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// What the payment gateway owes the shop.
    Gateway,
    /// The shop's bank account, limited to refunds and fees of exchanges; below zero if refunds exceed fees.
    Bank,
    /// A buyer's money that no order holds.
    Unapplied(OrderId),
    /// What a buyer paid for goods that are not final.
    Held(OrderId),
    /// What the shop owes a seller.
    SellerPayable(MemberId),
    /// What promotions cost.
    PromotionExpense(Bearer),
    /// Points members hold.
    PointsLiability,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gateway => f.write_str("gateway"),
            Self::Bank => f.write_str("bank"),
            Self::Unapplied(order) => write!(f, "unapplied:{order}"),
            Self::Held(order) => write!(f, "held:{order}"),
            Self::SellerPayable(seller) => write!(f, "seller-payable:{seller}"),
            Self::PromotionExpense(Bearer::Platform) => f.write_str("promotion-expense:platform"),
            Self::PromotionExpense(Bearer::Seller(seller)) => {
                write!(f, "promotion-expense:{seller}")
            }
            Self::PointsLiability => f.write_str("points-liability"),
        }
    }
}

/// The text names no account.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown account {0}")]
pub struct NoAccount(String);

impl FromStr for Account {
    type Err = NoAccount;

    /// Parses the [`Display`](std::fmt::Display) form of [`Account`].
    fn from_str(text: &str) -> Result<Self, NoAccount> {
        let no_account = || NoAccount(text.to_owned());
        let (name, of) = text.split_once(':').unwrap_or((text, ""));
        let order = || of.parse().map_err(|_| no_account());
        let seller = || of.parse().map_err(|_| no_account());
        match (name, of) {
            ("gateway", "") => Ok(Self::Gateway),
            ("bank", "") => Ok(Self::Bank),
            ("points-liability", "") => Ok(Self::PointsLiability),
            ("promotion-expense", "platform") => Ok(Self::PromotionExpense(Bearer::Platform)),
            ("promotion-expense", _) => Ok(Self::PromotionExpense(Bearer::Seller(seller()?))),
            ("seller-payable", _) => Ok(Self::SellerPayable(seller()?)),
            ("unapplied", _) => Ok(Self::Unapplied(order()?)),
            ("held", _) => Ok(Self::Held(order()?)),
            _ => Err(no_account()),
        }
    }
}

impl Account {
    /// The stream kinds whose events may change this account.
    pub const fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Gateway => &["payment"],
            Self::Bank | Self::Unapplied(_) => &["payment", "order"],
            Self::Held(_) | Self::PromotionExpense(Bearer::Platform) => &["order", "points"],
            Self::SellerPayable(_) | Self::PromotionExpense(Bearer::Seller(_)) => &["order"],
            Self::PointsLiability => &["points"],
        }
    }

    /// The seller the account belongs to, for seller accounts.
    pub const fn seller(self) -> Option<MemberId> {
        match self {
            Self::SellerPayable(seller) | Self::PromotionExpense(Bearer::Seller(seller)) => {
                Some(seller)
            }
            Self::Gateway
            | Self::Bank
            | Self::Unapplied(_)
            | Self::Held(_)
            | Self::PromotionExpense(Bearer::Platform)
            | Self::PointsLiability => None,
        }
    }
}

/// One line of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The account.
    pub account: Account,
    /// Amount in hundredths; debits positive, credits negative.
    pub amount: Amount,
}

/// An event that may move money, with the state of its stream before it.
#[derive(Clone, Copy, Debug)]
pub enum MoneyEvent<'a> {
    /// A payment event.
    Payment {
        /// The payment before the event.
        before: &'a Payment,
        /// The event.
        event: &'a PaymentEvent,
    },
    /// An order event.
    Order {
        /// The order.
        order: OrderId,
        /// The order before the event.
        before: &'a Order,
        /// The event.
        event: &'a OrderEvent,
    },
    /// A points event.
    Points {
        /// The event.
        event: &'a PointsEvent,
    },
}

/// Reasons why an event cannot be posted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountingError {
    /// An event's entries do not sum to zero.
    #[error("the entries of one event sum to {0}")]
    Unbalanced(Amount),
    /// An event precedes the event it depends on.
    #[error("event precedes its prerequisite: {0}")]
    Orphan(&'static str),
    /// The frozen terms of an order are inconsistent.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// An amount overflows.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Computes the entries of one event, without zero amounts. They sum to zero.
///
/// # Errors
/// [`AccountingError`].
pub fn entries(happened: &MoneyEvent<'_>) -> Result<Vec<Entry>, AccountingError> {
    let mut booked = match happened {
        MoneyEvent::Payment { before, event } => of_payment(before, event),
        MoneyEvent::Order {
            order,
            before,
            event,
        } => of_order(*order, before, event),
        MoneyEvent::Points { event } => of_points(event),
    }?;
    booked.retain(|entry| !entry.amount.is_zero());
    let sum = Amount::total(booked.iter().map(|entry| entry.amount))?;
    if sum.is_zero() {
        Ok(booked)
    } else {
        Err(AccountingError::Unbalanced(sum))
    }
}

fn debit(account: Account, amount: Amount) -> Entry {
    Entry { account, amount }
}

fn credit(account: Account, amount: Amount) -> Result<Entry, MoneyError> {
    Ok(Entry {
        account,
        amount: amount.negated()?,
    })
}

fn moved(amount: Amount, from: Account, to: Account) -> Result<Vec<Entry>, AccountingError> {
    Ok(vec![debit(from, amount), credit(to, amount)?])
}

fn of_payment(before: &Payment, event: &PaymentEvent) -> Result<Vec<Entry>, AccountingError> {
    let order = || {
        before
            .started
            .as_ref()
            .map(|started| started.order)
            .ok_or(AccountingError::Orphan("payment"))
    };
    match event {
        PaymentEvent::PaymentApproved { amount, .. }
        | PaymentEvent::DepositReceived { amount, .. } => {
            moved(*amount, Account::Gateway, Account::Unapplied(order()?))
        }
        PaymentEvent::RefundCompleted { amount, .. } => {
            moved(*amount, Account::Unapplied(order()?), Account::Gateway)
        }
        PaymentEvent::RefundTransferred { amount, .. } => {
            moved(*amount, Account::Unapplied(order()?), Account::Bank)
        }
        PaymentEvent::PaymentStarted { .. }
        | PaymentEvent::PaymentApprovalRequested { .. }
        | PaymentEvent::PaymentRefused { .. }
        | PaymentEvent::PaymentApprovalUnknown { .. }
        | PaymentEvent::PaymentNetCanceled { .. }
        | PaymentEvent::PaymentAbandoned { .. }
        | PaymentEvent::VirtualAccountIssued { .. }
        | PaymentEvent::AccountCloseRequested { .. }
        | PaymentEvent::VirtualAccountClosed { .. }
        | PaymentEvent::NoticeDoubted { .. }
        | PaymentEvent::RefundAccountGiven { .. }
        | PaymentEvent::RefundRequested { .. }
        | PaymentEvent::RefundUnknown { .. }
        | PaymentEvent::RefundRefused { .. } => Ok(vec![]),
    }
}

fn of_points(event: &PointsEvent) -> Result<Vec<Entry>, AccountingError> {
    const GIVEN_AWAY: Account = Account::PromotionExpense(Bearer::Platform);
    match event {
        PointsEvent::PointsGranted { amount, .. } => {
            moved(*amount, GIVEN_AWAY, Account::PointsLiability)
        }
        PointsEvent::PointsSpent { order, parts } => {
            let spent = Amount::total(parts.iter().map(|part| part.amount))?;
            moved(spent, Account::PointsLiability, Account::Held(*order))
        }
        PointsEvent::PointsRestored { order, parts, lost } => {
            let restored = Amount::total(parts.iter().map(|part| part.amount))?;
            let lost = Amount::total(lost.iter().map(|part| part.amount))?;
            Ok(vec![
                debit(Account::Held(*order), restored.plus(lost)?),
                credit(Account::PointsLiability, restored)?,
                credit(GIVEN_AWAY, lost)?,
            ])
        }
        PointsEvent::PointsExpired { amount, .. } | PointsEvent::PointsTaken { amount, .. } => {
            moved(*amount, Account::PointsLiability, GIVEN_AWAY)
        }
        PointsEvent::PointsRevoked { parts, .. } => {
            let revoked = Amount::total(parts.iter().map(|part| part.amount))?;
            moved(revoked, Account::PointsLiability, GIVEN_AWAY)
        }
        PointsEvent::PointsLifeChanged { .. } | PointsEvent::PointsExpiryAnnounced { .. } => {
            Ok(vec![])
        }
    }
}

fn of_order(
    order: OrderId,
    before: &Order,
    event: &OrderEvent,
) -> Result<Vec<Entry>, AccountingError> {
    match event {
        OrderEvent::OrderPaid { amount, .. } => {
            moved(*amount, Account::Unapplied(order), Account::Held(order))
        }
        OrderEvent::PurchaseCompleted { purchase_no, .. } => {
            of_completed(order, before, purchase_no)
        }
        OrderEvent::CancelApproved { claim, terms, .. }
        | OrderEvent::ReturnApproved { claim, terms, .. } => {
            of_approved(order, before, (*claim, terms))
        }
        OrderEvent::PriceDifferenceRefunded {
            purchase_no, terms, ..
        } => {
            let mut booked = of_money_back(order, terms)?;
            booked.extend(of_other_price(order, (before, event), purchase_no)?);
            Ok(booked)
        }
        OrderEvent::ReplacementShipped { claim, .. } => {
            let dearer = before.claim(*claim);
            let dearer = dearer.filter(|made| !made.price_waiting().is_zero());
            match dearer.and_then(|made| made.purchase_nos.first()) {
                Some(purchase_no) => of_other_price(order, (before, event), purchase_no),
                None => Ok(vec![]),
            }
        }
        OrderEvent::ExchangeFeeReceived {
            claim,
            amount,
            price,
            payment,
            ..
        } => {
            let seller = seller_of_exchange(before, *claim)?;
            let from = match payment {
                Some(_) => Account::Unapplied(order),
                None => Account::Bank,
            };
            let fee = amount.minus(*price)?;
            let mut booked = moved(fee, from, Account::SellerPayable(seller))?;
            booked.extend(moved(*price, from, Account::Held(order))?);
            Ok(booked)
        }
        OrderEvent::ExchangeFeeRefunded {
            claim,
            amount,
            price,
            ..
        } => {
            let seller = seller_of_exchange(before, *claim)?;
            let back = Account::Unapplied(order);
            let mut booked = moved(amount.minus(*price)?, Account::SellerPayable(seller), back)?;
            booked.extend(moved(*price, Account::Held(order), back)?);
            Ok(booked)
        }
        OrderEvent::FeeRefundTransferred { amount, .. } => {
            moved(*amount, Account::Unapplied(order), Account::Bank)
        }
        OrderEvent::OrderPlaced(_)
        | OrderEvent::FeeRefundAccountGiven { .. }
        | OrderEvent::DepositAwaited { .. }
        | OrderEvent::DepositWaitEnded { .. }
        | OrderEvent::OrderCanceled { .. }
        | OrderEvent::PurchasePrepared { .. }
        | OrderEvent::PurchaseShipped { .. }
        | OrderEvent::InvoiceCorrected { .. }
        | OrderEvent::PurchaseDelayed { .. }
        | OrderEvent::PurchaseDelivered { .. }
        | OrderEvent::CancelRequested { .. }
        | OrderEvent::CancelRejected { .. }
        | OrderEvent::CancelCompleted { .. }
        | OrderEvent::PurchaseSplit { .. }
        | OrderEvent::ReturnRequested { .. }
        | OrderEvent::GoodsPickedUp { .. }
        | OrderEvent::GoodsInspected { .. }
        | OrderEvent::ReturnRejected { .. }
        | OrderEvent::GoodsSentBack { .. }
        | OrderEvent::ReturnCompleted { .. }
        | OrderEvent::ExchangeRequested { .. }
        | OrderEvent::ExchangeAccepted { .. }
        | OrderEvent::ExchangeRejected { .. }
        | OrderEvent::ExchangeFeeWaived { .. }
        | OrderEvent::ReplacementDelayed { .. }
        | OrderEvent::ExchangeCompleted { .. }
        | OrderEvent::ClaimWithdrawn { .. }
        | OrderEvent::GuestRecordsErased {}
        | OrderEvent::ReceiverCorrected { .. }
        | OrderEvent::ReceiverDisclosed { .. }
        | OrderEvent::StaffNoteWritten { .. } => Ok(vec![]),
    }
}

/// The seller of the exchanged goods.
fn seller_of_exchange(before: &Order, claim: ClaimId) -> Result<MemberId, AccountingError> {
    let made = before.claim(claim);
    let first = made.and_then(|made| made.purchase_nos.first());
    let purchase = first.and_then(|no| before.purchase(no));
    Ok(purchase.ok_or(AccountingError::Orphan("exchange"))?.seller)
}

/// Entries of an approved claim: the money leaves the order; its fees and the fares that its sellers keep are credited to them. Entries of
/// the confirmation of its purchases are reversed before.
fn of_approved(
    order: OrderId,
    before: &Order,
    (claim, terms): (ClaimId, &RefundTerms),
) -> Result<Vec<Entry>, AccountingError> {
    let mut booked = of_money_back(order, terms)?;
    let made = before.claim(claim);
    for purchase_no in made.iter().flat_map(|made| &made.purchase_nos) {
        if before.confirmation(purchase_no).is_some() {
            booked.extend(reversed(of_line(order, before, purchase_no)?)?);
        }
    }
    for fee in &terms.fees {
        let seller = fare_at(before, fee.fare)?.seller;
        booked.extend(moved(
            fee.amount,
            Account::Held(order),
            Account::SellerPayable(seller),
        )?);
    }
    for settlement in &terms.fares {
        let was_earned = before.fares.get(&settlement.fare) == Some(&FareOutcome::Earned);
        match settlement.outcome {
            FareOutcome::Earned => booked.extend(of_fare(order, before, settlement.fare)?),
            FareOutcome::Refunded if was_earned => {
                booked.extend(reversed(of_fare(order, before, settlement.fare)?)?);
            }
            FareOutcome::Refunded => {}
        }
    }
    Ok(booked)
}

/// The money that a claim gives back, and the earned points that were deducted from it.
fn of_money_back(order: OrderId, terms: &RefundTerms) -> Result<Vec<Entry>, AccountingError> {
    let mut booked = moved(terms.money, Account::Held(order), Account::Unapplied(order))?;
    if let Some(reclaimed) = terms.reclaimed {
        let given_away = Account::PromotionExpense(Bearer::Platform);
        booked.extend(moved(reclaimed.money, Account::Held(order), given_away)?);
    }
    Ok(booked)
}

/// Entries of an event that changes the price of a purchase: one that is confirmed is confirmed again at the new price.
fn of_other_price(
    order: OrderId,
    (before, event): (&Order, &OrderEvent),
    purchase_no: &str,
) -> Result<Vec<Entry>, AccountingError> {
    if before.confirmation(purchase_no).is_none() {
        return Ok(vec![]);
    }
    let mut after = before.clone();
    after.evolve(event.clone());
    let mut booked = reversed(of_line(order, before, purchase_no)?)?;
    booked.extend(of_line(order, &after, purchase_no)?);
    Ok(booked)
}

/// Reverses the sign of entries.
fn reversed(booked: Vec<Entry>) -> Result<Vec<Entry>, AccountingError> {
    let undone = booked.into_iter().map(|entry| {
        Ok(Entry {
            amount: entry.amount.negated()?,
            ..entry
        })
    });
    undone.collect()
}

/// Entries of a confirmed purchase: credits the seller with the goods and, at the first purchase of a fare, with the fare.
fn of_completed(
    order: OrderId,
    before: &Order,
    purchase_no: &str,
) -> Result<Vec<Entry>, AccountingError> {
    let mut booked = of_line(order, before, purchase_no)?;
    for (place, _) in before.open_fares_of(purchase_no) {
        booked.extend(of_fare(order, before, place)?);
    }
    Ok(booked)
}

/// Entries of the goods of a confirmed purchase.
fn of_line(
    order: OrderId,
    before: &Order,
    purchase_no: &str,
) -> Result<Vec<Entry>, AccountingError> {
    let line = before
        .purchase_terms(purchase_no)
        .ok_or(AccountingError::Orphan("purchase"))?;
    earned(
        order,
        &SellerEarning {
            seller: line.seller,
            worth: line.goods()?.minus(line.product_discount)?,
            given: line.paid.plus(line.points)?,
            borne_by_seller: before.borne_by_seller_of_line(line)?,
        },
    )
}

/// Entries of a fare that its seller earned.
fn of_fare(order: OrderId, before: &Order, place: u32) -> Result<Vec<Entry>, AccountingError> {
    let fare = fare_at(before, place)?;
    earned(
        order,
        &SellerEarning {
            seller: fare.seller,
            worth: fare.gross()?,
            given: fare.paid.plus(fare.points)?,
            borne_by_seller: before.borne_by_seller_of_fare(place)?,
        },
    )
}

fn fare_at(order: &Order, place: u32) -> Result<&FareTerms, AccountingError> {
    let fares = &order.terms()?.fares;
    let at = usize::try_from(place).ok();
    at.and_then(|at| fares.get(at))
        .ok_or(AccountingError::Orphan("fare"))
}

/// A line or fare that became final.
struct SellerEarning {
    seller: MemberId,
    /// Amount due to the seller.
    worth: Amount,
    /// Amount the buyer paid for it, in money and points.
    given: Amount,
    /// The seller's part of the difference; the platform bears the rest.
    borne_by_seller: Amount,
}

fn earned(order: OrderId, earned: &SellerEarning) -> Result<Vec<Entry>, AccountingError> {
    let borne_by_platform = earned
        .worth
        .minus(earned.given)?
        .minus(earned.borne_by_seller)?;
    Ok(vec![
        debit(Account::Held(order), earned.given),
        debit(
            Account::PromotionExpense(Bearer::Platform),
            borne_by_platform,
        ),
        debit(
            Account::PromotionExpense(Bearer::Seller(earned.seller)),
            earned.borne_by_seller,
        ),
        credit(Account::SellerPayable(earned.seller), earned.worth)?,
    ])
}
