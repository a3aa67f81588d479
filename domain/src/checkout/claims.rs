//! Claims on paid purchases: once one is approved, stock, coupons, points and money go back in the same decision.

use super::CheckoutError;
use super::give_back::{GivenLine, Reversal, give_back, plan};
use super::payments::{CANCELED, RETURNED};
use crate::ids::{OrderId, RefundId};
use crate::money::Amount;
use crate::order::{
    CancelRequest, ClaimAnswer, ClaimKind, Order, OrderCommand, OrderEvent, RefundTerms,
    ReturnRequest,
};
use crate::payment::{Payment, PaymentCommand};
use crate::unit_of_work::UnitOfWork;

/// Requests the cancellation of paid purchases. For the claims the order approves at once, stock, coupons and points go back and
/// one refund of all of them is requested in the same decision.
///
/// # Errors
/// [`CheckoutError`].
pub fn request_cancel(
    work: &mut UnitOfWork,
    id: OrderId,
    request: CancelRequest,
) -> Result<(), CheckoutError> {
    decide(work, id, OrderCommand::RequestCancel(Box::new(request)))
}

/// Requests the return of a sent purchase.
///
/// # Errors
/// [`CheckoutError`].
pub fn request_return(
    work: &mut UnitOfWork,
    id: OrderId,
    request: ReturnRequest,
) -> Result<(), CheckoutError> {
    decide(work, id, OrderCommand::RequestReturn(Box::new(request)))
}

/// Approves a claim, gives back what it covers and requests its refund.
///
/// # Errors
/// [`CheckoutError`].
pub fn approve_claim(
    work: &mut UnitOfWork,
    id: OrderId,
    answer: ClaimAnswer,
) -> Result<(), CheckoutError> {
    decide(work, id, OrderCommand::ApproveClaim(Box::new(answer)))
}

fn decide(work: &mut UnitOfWork, id: OrderId, command: OrderCommand) -> Result<(), CheckoutError> {
    if !plan(work, id)? {
        return Ok(());
    }
    let events = work.decide::<Order>(id, command)?;
    granted(work, id, &events)
}

/// Gives back what the approvals among `events` say.
fn granted(work: &mut UnitOfWork, id: OrderId, events: &[OrderEvent]) -> Result<(), CheckoutError> {
    let approvals: Vec<_> = events.iter().filter_map(approved).collect();
    let order = work.state::<Order>(id);
    let terms = order.terms()?;
    let mut back = Reversal {
        lines: Vec::new(),
        coupons: Vec::new(),
        points: Vec::new(),
    };
    let mut money = Amount::ZERO;
    let mut refunded: Option<(RefundId, ClaimKind)> = None;
    for (claim, refund, given) in approvals {
        let Some(made) = order.claim(claim) else {
            continue;
        };
        let its = terms
            .purchases
            .iter()
            .filter(|line| made.purchase_nos.contains(&line.purchase_no));
        back.lines
            .extend(its.map(|line| GivenLine::less(line, made.written_off())));
        back.coupons.extend(&given.coupons);
        for part in &given.points {
            match back.points.iter_mut().find(|known| known.lot == part.lot) {
                Some(known) => known.amount = known.amount.plus(part.amount)?,
                None => back.points.push(*part),
            }
        }
        money = money.plus(given.money)?;
        refunded = refund.map(|refund| (refund, made.kind())).or(refunded);
    }
    give_back(work, id, terms, &back)?;
    let payment = order.paid.and_then(|paid| paid.payment);
    if let (Some((refund, kind)), Some(payment)) = (refunded, payment) {
        let reason = match kind {
            ClaimKind::Cancel => CANCELED,
            ClaimKind::Return => RETURNED,
        };
        let request = PaymentCommand::RequestRefund {
            refund,
            amount: money,
            reason: reason.to_owned(),
        };
        work.decide::<Payment>(payment, request)?;
    }
    Ok(())
}

/// An approval: the claim, its refund and what it gives back.
const fn approved(
    event: &OrderEvent,
) -> Option<(crate::ids::ClaimId, Option<RefundId>, &RefundTerms)> {
    match event {
        OrderEvent::CancelApproved {
            claim,
            refund,
            terms,
        }
        | OrderEvent::ReturnApproved {
            claim,
            refund,
            terms,
        } => Some((*claim, *refund, terms)),
        _ => None,
    }
}
