//! User payments: amounts requested from a buyer in addition to the order. The fee of an exchange and the difference of its dearer option
//! are requested with the inspection that makes them due, reduced where the fee is waived, completed with their receipt, canceled with the
//! end of the exchange, and refunded where it is rejected after that.
//!
//! Payments of a user payment have ids derived from it and the attempt number, so the attempts of the order never include them.

use super::CheckoutError;
use super::payments::{NextPayment, StartError, TOO_LATE, next_payment, refund_all};
use crate::ids::{ClaimId, OrderId, PaymentId, UserPaymentId, derived_id};
use crate::money::Amount;
use crate::order::{Buyer, Claim, ClaimState, Order, OrderCommand, OrderError};
use crate::payment::{
    Payment, PaymentCommand, PaymentMethod, PaymentStage, PaymentTerms, UserPaymentRef,
};
use crate::unit_of_work::UnitOfWork;
use crate::user_payment::{
    UserPayment, UserPaymentCommand, UserPaymentError, UserPaymentPurpose, UserPaymentState,
    UserPaymentTerms, exchange_fee_id, exchange_fee_no,
};

/// Reason of the user payment of a rejected exchange, and of its refund.
pub(super) const REJECTED: &str = "교환 거절";
/// Reason of the user payment of a withdrawn exchange.
const WITHDRAWN: &str = "교환 철회";
/// Reason of the user payment of a waived fee.
const WAIVED: &str = "교환 배송비 면제";
/// Reason of the user payment of an exchange that costs nothing.
const NOT_DUE: &str = "교환 배송비 없음";

/// The id of a payment of a user payment, derived from it and the attempt number (from 1). It is in the log, so it may not change.
pub fn payment_id(user_payment: UserPaymentId, attempt: u32) -> PaymentId {
    PaymentId(derived_id(&format!("{user_payment} {attempt}")))
}

/// The started payments of a user payment, in order of attempts. The attempt after them is read too, so that none can be started
/// meanwhile.
pub fn attempts(work: &mut UnitOfWork, user_payment: UserPaymentId) -> Vec<PaymentId> {
    let mut started = Vec::new();
    for attempt in 1.. {
        let id = payment_id(user_payment, attempt);
        if work.state::<Payment>(id).started.is_none() {
            break;
        }
        started.push(id);
    }
    started
}

/// The user payments that an order may have: one for each of its exchanges.
pub fn of_order(order: &Order) -> impl Iterator<Item = UserPaymentId> + '_ {
    let exchanges = order.claims.iter().filter(|made| made.exchange().is_some());
    exchanges.map(|made| exchange_fee_id(made.id))
}

/// Starts the next payment of the fee of an exchange, or reuses the one whose window is open; returns its id. Only methods that charge
/// at once pay a fee: the replacement waits for it.
///
/// # Errors
/// [`StartError`].
pub fn start(
    work: &mut UnitOfWork,
    order: OrderId,
    claim: ClaimId,
    method: PaymentMethod,
) -> Result<PaymentId, StartError> {
    let state = work.state::<Order>(order);
    let terms = state.terms()?;
    let amount = state.payable_fee(claim)?;
    if !method.charges_at_once() {
        return Err(StartError::NotAtOnce);
    }
    // Exchanges that were inspected before there were user payments have none yet.
    request::<StartError>(work, order, claim, amount)?;
    let id = exchange_fee_id(claim);
    let asked = work.state::<UserPayment>(id);
    let asked = asked.terms.as_ref().ok_or(OrderError::UnknownClaim)?;
    let attempts = attempts(work, id);
    let number = match next_payment(work, &attempts, method)? {
        NextPayment::Open(open) => return Ok(open),
        NextPayment::Attempt(number) => number,
    };
    let next = payment_id(id, number);
    let started = PaymentTerms {
        order,
        order_no: terms.order_no.clone(),
        attempt: number,
        amount: asked.amount,
        method,
        member: asked.member,
        user_payment: Some(UserPaymentRef {
            id,
            number: asked.number.clone(),
        }),
    };
    work.decide::<Payment>(next, PaymentCommand::Start(started))?;
    Ok(next)
}

/// Whether the purpose of a user payment is still unpaid, and by this amount.
///
/// # Errors
/// The reason why it is not.
pub(super) fn is_payable(
    work: &mut UnitOfWork,
    user_payment: UserPaymentId,
    amount: Amount,
) -> Result<(), CheckoutError> {
    let (order, claim) = claim_of(work, user_payment)?;
    match work.state::<Order>(order).payable_fee(claim)? {
        expected if expected == amount => Ok(()),
        expected => Err(OrderError::AmountMismatch { expected }.into()),
    }
}

/// Money of a payment pays the fee, or is refunded if the exchange has ended or its fee is paid.
pub(super) fn use_money(
    work: &mut UnitOfWork,
    payment: PaymentId,
    user_payment: &UserPaymentRef,
    amount: Amount,
) -> Result<(), CheckoutError> {
    let (order, claim) = claim_of(work, user_payment.id)?;
    let before = work.state::<Order>(order);
    let receive = OrderCommand::ReceiveFee {
        claim,
        amount,
        reference: user_payment.number.clone(),
        payment: Some(payment),
    };
    match work.decide::<Order>(order, receive) {
        Ok(_) => follow_fees(work, (order, &before)),
        Err(
            OrderError::UnknownClaim
            | OrderError::ClaimClosed
            | OrderError::WrongCollection { .. }
            | OrderError::AlreadyPaid
            | OrderError::AmountMismatch { .. },
        ) => refund_all(work, payment, (amount, TOO_LATE)),
        Err(refusal) => Err(refusal.into()),
    }
}

/// Requests, reduces, completes and cancels the user payments of exchanges, by how their fees changed since `before`: one rule for every way
/// in which a fee becomes due and in which an exchange ends.
pub(super) fn follow_fees(
    work: &mut UnitOfWork,
    (id, before): (OrderId, &Order),
) -> Result<(), CheckoutError> {
    let order = work.state::<Order>(id);
    let is_refunded = |claim: Option<&Claim>| {
        let exchange = claim.and_then(Claim::exchange);
        exchange.is_some_and(|its| its.fee_refund.is_some())
    };
    for claim in &order.claims {
        if is_refunded(Some(claim)) && !is_refunded(before.claim(claim.id)) {
            let reason = REJECTED.to_owned();
            let refund = UserPaymentCommand::Refund { reason };
            work.decide::<UserPayment>(exchange_fee_id(claim.id), refund)?;
        }
        match (before.payable_fee(claim.id), order.payable_fee(claim.id)) {
            (Err(_), Ok(amount)) => {
                request::<CheckoutError>(work, id, claim.id, amount)?;
            }
            (Ok(_), Err(_)) => end(work, claim)?,
            (Ok(before), Ok(now)) if before != now => reduce(work, claim.id, now)?,
            _ => {}
        }
    }
    Ok(())
}

/// Asks for the smaller amount: a window for the amount before is given up, so that the next one is for this amount.
fn reduce(work: &mut UnitOfWork, claim: ClaimId, amount: Amount) -> Result<(), CheckoutError> {
    let id = exchange_fee_id(claim);
    // Exchanges that were inspected before there were user payments have none.
    if work.state::<UserPayment>(id).terms.is_none() {
        return Ok(());
    }
    let reduce = UserPaymentCommand::Reduce {
        amount,
        reason: WAIVED.to_owned(),
    };
    work.decide::<UserPayment>(id, reduce)?;
    for payment in attempts(work, id) {
        if work.state::<Payment>(payment).stage == PaymentStage::Ready {
            let give_up = PaymentCommand::Abandon {
                reason: WAIVED.to_owned(),
            };
            work.decide::<Payment>(payment, give_up)?;
        }
    }
    Ok(())
}

/// Ends the user payment of a claim whose fee is paid or not due any more.
fn end(work: &mut UnitOfWork, claim: &Claim) -> Result<(), CheckoutError> {
    let id = exchange_fee_id(claim.id);
    let asked = work.state::<UserPayment>(id);
    // Exchanges that were inspected before there were user payments have none.
    if asked.terms.is_none() {
        return Ok(());
    }
    let command = match (claim.received_fee(), &claim.state) {
        (Some((_, payment)), _) => UserPaymentCommand::Complete { payment },
        (None, ClaimState::Rejected { .. }) => cancel(REJECTED),
        (None, ClaimState::Withdrawn) => cancel(WITHDRAWN),
        (None, _) if claim.exchange().is_some_and(|made| made.fee_waived) => cancel(WAIVED),
        (None, _) => cancel(NOT_DUE),
    };
    work.decide::<UserPayment>(id, command)?;
    Ok(())
}

fn cancel(reason: &str) -> UserPaymentCommand {
    UserPaymentCommand::Cancel {
        reason: reason.to_owned(),
    }
}

/// Requests the fee of an exchange from the buyer, unless it is requested already.
fn request<E>(work: &mut UnitOfWork, id: OrderId, claim: ClaimId, amount: Amount) -> Result<(), E>
where
    E: From<OrderError> + From<UserPaymentError>,
{
    let order = work.state::<Order>(id);
    let terms = order.terms()?;
    let mut claims = order.claims.iter().enumerate();
    let found = claims.find(|(_, made)| made.id == claim);
    let (place, made) = found.ok_or(OrderError::UnknownClaim)?;
    let user_payment = exchange_fee_id(claim);
    let state = work.state::<UserPayment>(user_payment);
    if state.terms.is_some() && state.state == UserPaymentState::Awaiting {
        return Ok(());
    }
    let request = UserPaymentTerms {
        number: exchange_fee_no(&terms.order_no, place.saturating_add(1)),
        member: match terms.buyer {
            Buyer::Member { id } => Some(id),
            Buyer::Guest { .. } => None,
        },
        purpose: UserPaymentPurpose::ExchangeFee {
            order: id,
            order_no: terms.order_no.clone(),
            purchase_no: made.purchase_nos.first().cloned().unwrap_or_default(),
            claim,
        },
        amount,
    };
    work.decide::<UserPayment>(user_payment, UserPaymentCommand::Request(request))?;
    Ok(())
}

/// The order and claim of a user payment.
fn claim_of(
    work: &mut UnitOfWork,
    user_payment: UserPaymentId,
) -> Result<(OrderId, ClaimId), CheckoutError> {
    let state = work.state::<UserPayment>(user_payment);
    match state.terms.as_ref().map(|terms| &terms.purpose) {
        Some(UserPaymentPurpose::ExchangeFee { order, claim, .. }) => Ok((*order, *claim)),
        None => Err(OrderError::UnknownClaim.into()),
    }
}
