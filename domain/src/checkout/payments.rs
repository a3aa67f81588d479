//! An order and its payments.
//!
//! Payments of an order have ids derived from the order and the attempt number, so that they are found in the log alone and an
//! attempt number cannot be started twice. Money that arrives for an order that cannot use it is refunded in the same decision.

use time::OffsetDateTime;

use super::{CheckoutError, user_payments};
use crate::ids::{OrderId, PaymentId, RefundId, derived_id};
use crate::money::Amount;
use crate::order::{Buyer, Claim, ClaimState, Order, OrderCommand, OrderError};
use crate::payment::PaymentMethod;
use crate::payment::{
    Payment, PaymentCommand, PaymentError, PaymentStage, PaymentTerms, Refund, RefundStage,
    VirtualAccount,
};
use crate::personal::{BankAccount, Sealed};
use crate::unit_of_work::UnitOfWork;
use crate::user_payment::UserPaymentError;

/// Reason stored in the payment of a canceled order. The actual reason is only in the order.
pub(super) const CANCELED: &str = "주문 취소";
/// Reason of the refund of a return.
pub(super) const RETURNED: &str = "반품";
/// Reason of the refund of an exchange for a cheaper option.
pub(super) const EXCHANGED: &str = "교환 차액";
/// Refund reason for an order or fee that cannot be paid any more.
pub(super) const TOO_LATE: &str = "이미 취소되었거나 결제된 주문";
/// Refund reason for a deposit that differs from the order's amount.
const OTHER_AMOUNT: &str = "주문 금액과 다른 입금";
/// Reason for closing an account.
const PAID_OTHERWISE: &str = "다른 방법으로 결제됨";
/// Reason for giving up the previous payment.
const OTHER_METHOD: &str = "결제 수단 변경";
/// Reason for requesting a refused refund again.
const OTHER_ACCOUNT: &str = "환불 계좌 변경";
/// Maximum number of payments of one order or user payment.
const ATTEMPTS_MOST: u32 = 30;

/// The id of a payment, derived from order and attempt number (from 1). It is in the log, so it may not change.
pub fn payment_id(order: OrderId, attempt: u32) -> PaymentId {
    PaymentId(derived_id(&format!("{order} {attempt}")))
}

/// The started payments of an order, in order of attempts. The attempt after them is read too, so that none can be started
/// meanwhile.
pub fn attempts(work: &mut UnitOfWork, order: OrderId) -> Vec<PaymentId> {
    let mut started = Vec::new();
    for attempt in 1.. {
        let id = payment_id(order, attempt);
        if work.state::<Payment>(id).started.is_none() {
            break;
        }
        started.push(id);
    }
    started
}

/// The started payments of an order and of its user payments.
pub fn all_attempts(work: &mut UnitOfWork, order: OrderId) -> Vec<PaymentId> {
    let mut started = attempts(work, order);
    let state = work.state::<Order>(order);
    for user_payment in user_payments::of_order(&state) {
        started.extend(user_payments::attempts(work, user_payment));
    }
    started
}

/// Reasons why a payment cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The order is canceled.
    #[error("the order is canceled")]
    OrderCanceled,
    /// The order is paid.
    #[error("the order has been paid already")]
    AlreadyPaid,
    /// The payment deadline has passed.
    #[error("the payment deadline has passed")]
    TooLate,
    /// A virtual account needs a refund account.
    #[error("a virtual account needs a refund account")]
    NoRefundAccount,
    /// A virtual account of this method is waiting for its deposit.
    #[error("the deposit is awaited")]
    DepositAwaited,
    /// The outcome of the previous payment is unknown.
    #[error("approval of the payment before is pending")]
    ApprovalPending,
    /// The order has too many payments.
    #[error("the order has too many payments")]
    TooMany,
    /// A fee cannot be paid by a method whose money comes days later.
    #[error("this method does not charge at once")]
    NotAtOnce,
    /// The user payment cannot be requested.
    #[error(transparent)]
    UserPayment(#[from] UserPaymentError),
    /// The order rejects the command.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A payment rejects the command.
    #[error(transparent)]
    Payment(#[from] PaymentError),
}

/// Starts the next payment of an order, or reuses the one whose window is open; returns its id. A payment by another method that
/// is under way is given up.
///
/// `refund_account` is where refunds of this payment go; the order's own account by default.
///
/// # Errors
/// [`StartError`].
pub fn start(
    work: &mut UnitOfWork,
    id: OrderId,
    method: PaymentMethod,
    refund_account: Option<Sealed<BankAccount>>,
) -> Result<PaymentId, StartError> {
    let order = work.state::<Order>(id);
    let terms = order.terms()?;
    if order.canceled.is_some() {
        return Err(StartError::OrderCanceled);
    }
    if order.paid.is_some() {
        return Err(StartError::AlreadyPaid);
    }
    if work.context().now >= order.pay_by()? {
        return Err(StartError::TooLate);
    }
    if method == PaymentMethod::Vbank && refund_account.is_none() && terms.deposit.is_none() {
        return Err(StartError::NoRefundAccount);
    }
    let given = refund_account.map(PaymentCommand::GiveRefundAccount);
    let attempts = attempts(work, id);
    if let Some(last) = attempts.last().copied() {
        let payment = work.state::<Payment>(last);
        if payment.stage == PaymentStage::AccountIssued {
            if started(work, last)?.method == method {
                return Err(StartError::DepositAwaited);
            }
            work.decide::<Order>(id, OrderCommand::EndDepositWait { payment: last })?;
            close(work, last, OTHER_METHOD)?;
        }
    }
    let number = match next_payment(work, &attempts, method)? {
        NextPayment::Open(open) => {
            if let Some(given) = given {
                work.decide::<Payment>(open, given)?;
            }
            return Ok(open);
        }
        NextPayment::Attempt(number) => number,
    };
    let next = payment_id(id, number);
    let started = PaymentTerms {
        order: id,
        order_no: terms.order_no.clone(),
        attempt: number,
        amount: terms.totals.payable,
        method,
        member: match terms.buyer {
            Buyer::Member { id } => Some(id),
            Buyer::Guest { .. } => None,
        },
        user_payment: None,
    };
    work.decide::<Payment>(next, PaymentCommand::Start(started))?;
    if let Some(given) = given {
        work.decide::<Payment>(next, given)?;
    }
    Ok(next)
}

/// The payment that a buyer continues with.
pub(super) enum NextPayment {
    /// The window of this payment is open, for the same method.
    Open(PaymentId),
    /// A new payment with this attempt number.
    Attempt(u32),
}

/// The payment after those started, of an order or of a user payment; an open window for another method is given up.
///
/// # Errors
/// [`StartError::ApprovalPending`], [`StartError::TooMany`].
pub(super) fn next_payment(
    work: &mut UnitOfWork,
    attempts: &[PaymentId],
    method: PaymentMethod,
) -> Result<NextPayment, StartError> {
    let Some(last) = attempts.last().copied() else {
        return Ok(NextPayment::Attempt(1));
    };
    let payment = work.state::<Payment>(last);
    let before = payment.started.as_ref().ok_or(PaymentError::NotStarted)?;
    match payment.stage {
        PaymentStage::Ready if before.method == method => return Ok(NextPayment::Open(last)),
        PaymentStage::Ready => {
            let give_up = PaymentCommand::Abandon {
                reason: OTHER_METHOD.to_owned(),
            };
            work.decide::<Payment>(last, give_up)?;
        }
        PaymentStage::Requested | PaymentStage::Unknown => {
            return Err(StartError::ApprovalPending);
        }
        _ => {}
    }
    match before.attempt.saturating_add(1) {
        number if number > ATTEMPTS_MOST => Err(StartError::TooMany),
        number => Ok(NextPayment::Attempt(number)),
    }
}

/// Records the intention to request approval, while the order or the fee can be paid. Only one request of a payment succeeds.
///
/// # Errors
/// The order is canceled or paid, the fee is not due any more; [`CheckoutError`].
pub fn request_approval(
    work: &mut UnitOfWork,
    id: PaymentId,
    tid: String,
    amount: Amount,
) -> Result<(), CheckoutError> {
    let started = started(work, id)?;
    match started.user_payment {
        Some(of) => user_payments::is_payable(work, of.id, started.amount)?,
        None => {
            let order = work.state::<Order>(started.order);
            if order.canceled.is_some() {
                return Err(OrderError::OrderCanceled.into());
            }
            if order.paid.is_some() {
                return Err(OrderError::AlreadyPaid.into());
            }
        }
    }
    work.decide::<Payment>(id, PaymentCommand::RequestApproval { tid, amount })?;
    Ok(())
}

/// A charge or deposit reported by the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedPayment {
    /// The gateway's transaction id.
    pub tid: String,
    /// Hundredths.
    pub amount: Amount,
    /// Approval number of a charge.
    pub approve_no: Option<String>,
    /// Address of the receipt of a charge.
    pub receipt_url: Option<String>,
}

/// Records that the gateway charged a payment: it pays the order, or the fee it was started for. If that was canceled or paid
/// otherwise meanwhile, a refund is requested instead. Returns whether anything changed: repeating it changes nothing.
///
/// # Errors
/// Contradictions to the log: another transaction, another amount.
pub fn record_charge(
    work: &mut UnitOfWork,
    id: PaymentId,
    received: &ReceivedPayment,
) -> Result<bool, CheckoutError> {
    let charge = PaymentCommand::RecordApproval {
        tid: received.tid.clone(),
        amount: received.amount,
        approve_no: received.approve_no.clone(),
        receipt_url: received.receipt_url.clone(),
    };
    let awaited = work.state::<Payment>(id).awaited().is_some();
    match work.decide::<Payment>(id, charge)?.is_empty() {
        true => Ok(false),
        false => use_money(work, id, received.amount, awaited).map(|()| true),
    }
}

/// Records a deposit as [`record_charge`] records a charge: if the order is canceled, paid otherwise, or has another amount, the
/// deposit is refunded. `account` is the virtual account, should the deposit be reported before the response that issued it.
///
/// # Errors
/// Another transaction.
pub fn record_deposit(
    work: &mut UnitOfWork,
    id: PaymentId,
    received: &ReceivedPayment,
    account: Option<VirtualAccount>,
) -> Result<bool, CheckoutError> {
    let payment = work.state::<Payment>(id);
    // Refunds need the account.
    if let (Some(account), None, true) = (account, &payment.account, payment.is_open()) {
        let issue = PaymentCommand::IssueAccount {
            tid: received.tid.clone(),
            amount: started(work, id)?.amount,
            account,
        };
        work.decide::<Payment>(id, issue)?;
    }
    let deposit = PaymentCommand::RecordDeposit {
        tid: received.tid.clone(),
        amount: received.amount,
    };
    let awaited = payment.awaited().is_some();
    match work.decide::<Payment>(id, deposit)?.is_empty() {
        true => Ok(false),
        false => use_money(work, id, received.amount, awaited).map(|()| true),
    }
}

/// Money of a payment pays the order and closes its other virtual accounts, or is refunded. `awaited`: whether the order
/// awaited it as a deposit.
fn use_money(
    work: &mut UnitOfWork,
    id: PaymentId,
    amount: Amount,
    awaited: bool,
) -> Result<(), CheckoutError> {
    let started = started(work, id)?;
    if let Some(of) = &started.user_payment {
        return user_payments::use_money(work, id, of, amount);
    }
    let order = started.order;
    let pay = OrderCommand::Pay {
        payment: Some(id),
        amount,
    };
    let useless = match work.decide::<Order>(order, pay) {
        Ok(_) => None,
        Err(OrderError::OrderCanceled | OrderError::AlreadyPaid) => Some(TOO_LATE),
        Err(OrderError::AmountMismatch { .. }) => {
            // An account takes one deposit, so no other deposit is awaited.
            if awaited {
                work.decide::<Order>(order, OrderCommand::EndDepositWait { payment: id })?;
            }
            Some(OTHER_AMOUNT)
        }
        Err(refusal) => return Err(refusal.into()),
    };
    if let Some(reason) = useless {
        return refund_all(work, id, (amount, reason));
    }
    for other in attempts(work, order) {
        if other != id && work.state::<Payment>(other).awaited().is_some() {
            close(work, other, PAID_OTHERWISE)?;
        }
    }
    Ok(())
}

/// Requests the refund of money that cannot be used.
pub(super) fn refund_all(
    work: &mut UnitOfWork,
    id: PaymentId,
    (amount, reason): (Amount, &str),
) -> Result<(), CheckoutError> {
    let back = PaymentCommand::RequestRefund {
        refund: RefundId(id.0),
        amount,
        reason: reason.to_owned(),
    };
    work.decide::<Payment>(id, back)?;
    Ok(())
}

/// Records that the gateway issued a virtual account: the order may stay unpaid until it expires, but not beyond `longest`, the
/// shop's own limit. An order that is closed by now needs no account. Returns whether anything changed.
///
/// # Errors
/// Contradictions to the log.
pub fn record_account(
    work: &mut UnitOfWork,
    id: PaymentId,
    received: &ReceivedPayment,
    account: VirtualAccount,
    longest: OffsetDateTime,
) -> Result<bool, CheckoutError> {
    let until = account.expires_at.min(longest);
    let issue = PaymentCommand::IssueAccount {
        tid: received.tid.clone(),
        amount: received.amount,
        account,
    };
    if work.decide::<Payment>(id, issue)?.is_empty() {
        return Ok(false);
    }
    let order = started(work, id)?.order;
    let wait = OrderCommand::AwaitDeposit { payment: id, until };
    match work.decide::<Order>(order, wait) {
        Ok(_) => {}
        Err(OrderError::OrderCanceled | OrderError::AlreadyPaid) => close(work, id, TOO_LATE)?,
        Err(refusal) => return Err(refusal.into()),
    }
    Ok(true)
}

/// Closes a virtual account: `command` is the shop's request or what the gateway reports. An order that awaited its deposit awaits it
/// no longer. Repeating it changes nothing.
///
/// # Errors
/// The rule violated.
pub fn close_account(
    work: &mut UnitOfWork,
    id: PaymentId,
    command: PaymentCommand,
) -> Result<(), CheckoutError> {
    let was_awaited = work.state::<Payment>(id).awaited().is_some();
    let closed = work.decide::<Payment>(id, command)?;
    // The order awaits one account at a time: an account whose closing was requested earlier is not awaited.
    if was_awaited && !closed.is_empty() {
        let order = started(work, id)?.order;
        work.decide::<Order>(order, OrderCommand::EndDepositWait { payment: id })?;
    }
    Ok(())
}

/// Records the refund account for every virtual account of the order that has or may get money, and for every refund of the order and
/// its user payments that was refused; those of virtual accounts are requested again. Returns whether there is such an account.
///
/// # Errors
/// The rule violated.
pub fn give_refund_account(
    work: &mut UnitOfWork,
    order: OrderId,
    account: &Sealed<BankAccount>,
) -> Result<bool, CheckoutError> {
    let mut found = false;
    let state = work.state::<Order>(order);
    for claim in &state.claims {
        if claim.fee_to_transfer().is_some() {
            found = true;
            let give = OrderCommand::GiveFeeAccount {
                claim: claim.id,
                account: account.clone(),
            };
            work.decide::<Order>(order, give)?;
        }
    }
    for id in all_attempts(work, order) {
        let payment = work.state::<Payment>(id);
        let by_deposit = started(work, id)?.method == PaymentMethod::Vbank;
        let is_refused = |refund: &&Refund| refund.stage == RefundStage::Refused;
        let is_stuck = payment.refunds.iter().any(|refund| is_refused(&refund));
        let may_have_money = matches!(
            payment.stage,
            PaymentStage::Approved | PaymentStage::AccountIssued | PaymentStage::AccountClosing
        );
        if !(by_deposit && may_have_money || is_stuck) {
            continue;
        }
        found = true;
        work.decide::<Payment>(id, PaymentCommand::GiveRefundAccount(account.clone()))?;
        // Only the deposits of virtual accounts go back to a bank account through the gateway; others are sent by staff.
        if !by_deposit {
            continue;
        }
        for refund in payment.refunds.iter().filter(is_refused) {
            let again = PaymentCommand::RequestRefund {
                refund: refund.id,
                amount: refund.amount,
                reason: OTHER_ACCOUNT.to_owned(),
            };
            work.decide::<Payment>(id, again)?;
        }
    }
    Ok(found)
}

/// Records a completed refund and the completion of its claim.
///
/// # Errors
/// The rule violated.
pub fn record_refund(
    work: &mut UnitOfWork,
    id: PaymentId,
    refund: RefundId,
    canceled_tid: String,
) -> Result<(), CheckoutError> {
    let amount = work.state::<Payment>(id).refund(refund)?.amount;
    let done = PaymentCommand::RecordRefund {
        refund,
        amount,
        canceled_tid,
    };
    work.decide::<Payment>(id, done)?;
    complete_claims(work, id, refund)
}

/// Records that staff sent the money of a refused refund by bank transfer, and the completion of its claims.
///
/// # Errors
/// The rule violated.
pub fn record_transfer(
    work: &mut UnitOfWork,
    id: PaymentId,
    refund: RefundId,
    reference: String,
) -> Result<(), CheckoutError> {
    let done = PaymentCommand::RecordTransfer { refund, reference };
    work.decide::<Payment>(id, done)?;
    complete_claims(work, id, refund)
}

/// Records that staff sent the refund of an exchange fee that was paid by bank transfer; false if no exchange of the order has this refund.
///
/// # Errors
/// The rule violated.
pub fn transfer_fee(
    work: &mut UnitOfWork,
    order: OrderId,
    (refund, reference): (RefundId, &str),
) -> Result<bool, CheckoutError> {
    let state = work.state::<Order>(order);
    let is_its = |claim: &&Claim| {
        let exchange = claim.exchange();
        exchange.is_some_and(|its| its.fee_refund == Some(refund) && its.fee_payment.is_none())
    };
    let Some(claim) = state.claims.iter().find(is_its) else {
        return Ok(false);
    };
    let transfer = OrderCommand::TransferFee {
        claim: claim.id,
        reference: reference.to_owned(),
    };
    work.decide::<Order>(order, transfer)?;
    Ok(true)
}

/// Completes the claims a refund was made for, once all their refunds are made.
fn complete_claims(
    work: &mut UnitOfWork,
    id: PaymentId,
    refund: RefundId,
) -> Result<(), CheckoutError> {
    let order_id = started(work, id)?.order;
    let order = work.state::<Order>(order_id);
    let of_order = order.paid.and_then(|paid| paid.payment);
    for claim in &order.claims {
        let ClaimState::Approved { refund: first } = claim.state else {
            continue;
        };
        let refunds: Vec<_> = claim.refunds(first, of_order).collect();
        let is_made = |(payment, refund): &(PaymentId, RefundId)| {
            let payment = work.state::<Payment>(*payment);
            let made = payment.refund(*refund);
            made.is_ok_and(|made| made.stage == RefundStage::Completed)
        };
        if refunds.contains(&(id, refund)) && refunds.iter().all(is_made) {
            work.decide::<Order>(order_id, OrderCommand::CompleteClaim { claim: claim.id })?;
        }
    }
    Ok(())
}

/// Closes an account that is not needed any more.
pub(super) fn close(
    work: &mut UnitOfWork,
    id: PaymentId,
    reason: &str,
) -> Result<(), PaymentError> {
    let reason = reason.to_owned();
    work.decide::<Payment>(id, PaymentCommand::CloseAccount { reason })?;
    Ok(())
}

fn started(work: &mut UnitOfWork, id: PaymentId) -> Result<PaymentTerms, PaymentError> {
    let payment = work.state::<Payment>(id);
    payment.started.clone().ok_or(PaymentError::NotStarted)
}
