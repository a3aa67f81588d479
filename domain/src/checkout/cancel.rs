//! Canceling an order, or purchases of it: stock, coupons, points and money go back in the same decision.

use super::payments::{self, CANCELED};
use super::{CheckoutError, footprint_of, pieces, refused};
use crate::coupon::{Campaign, CampaignCommand, IssuedCoupon, IssuedCouponCommand};
use crate::ids::{ClaimId, IssuedCouponId, OrderId, RefundId};
use crate::order::{
    Buyer, CancelReason, CanceledBy, LotPart, Order, OrderCommand, OrderEvent, OrderTerms,
    PurchaseTerms, Reader,
};
use crate::payment::{Payment, PaymentCommand};
use crate::points::{self, Points, PointsCommand};
use crate::stock::{Stock, StockCommand};
use crate::unit_of_work::UnitOfWork;

/// Cancels an unpaid order: gives back its stock, coupons and points, and closes the virtual accounts that await its money.
///
/// # Errors
/// [`CheckoutError`].
pub fn cancel_unpaid(
    work: &mut UnitOfWork,
    id: OrderId,
    by: CanceledBy,
    reason: Option<CancelReason>,
) -> Result<(), CheckoutError> {
    let attempts = payments::attempts(work, id);
    if !plan(work, id)? {
        return Ok(());
    }
    if work
        .decide::<Order>(id, OrderCommand::CancelUnpaid { by, reason })?
        .is_empty()
    {
        return Ok(());
    }
    let order = work.state::<Order>(id);
    let terms = order.terms()?;
    let back = Reversal {
        lines: terms.purchases.iter().collect(),
        coupons: terms.coupons.iter().map(|used| used.issued).collect(),
        points: terms.points.clone(),
    };
    give_back(work, id, terms, &back)?;
    for payment in attempts {
        if work.state::<Payment>(payment).awaited().is_some() {
            payments::close(work, payment, CANCELED)?;
        }
    }
    Ok(())
}

/// Request to cancel paid purchases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelRequest {
    /// Id of the claim to create.
    pub claim: ClaimId,
    /// Id of the refund to create if the claim is approved at once.
    pub refund: RefundId,
    /// Numbers of the purchases.
    pub purchase_nos: Vec<String>,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason.
    pub reason: CancelReason,
}

/// Requests the cancellation of paid purchases. If the order approves it at once, stock, coupons and points go back and the refund
/// is requested in the same decision.
///
/// # Errors
/// [`CheckoutError`].
pub fn request_cancel(
    work: &mut UnitOfWork,
    id: OrderId,
    request: CancelRequest,
) -> Result<(), CheckoutError> {
    if !plan(work, id)? {
        return Ok(());
    }
    let purchase_nos = request.purchase_nos.clone();
    let command = OrderCommand::RequestCancel {
        claim: request.claim,
        refund: request.refund,
        purchase_nos: request.purchase_nos,
        by: request.by,
        reason: request.reason,
    };
    let events = work.decide::<Order>(id, command)?;
    granted(work, id, &purchase_nos, &events)
}

/// Approval of a cancellation claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelApproval {
    /// The claim.
    pub claim: ClaimId,
    /// Id of the refund to create.
    pub refund: RefundId,
    /// The reader who approves it.
    pub by: Reader,
}

/// Approves a cancellation, gives back what it covers and requests its refund.
///
/// # Errors
/// [`CheckoutError`].
pub fn approve_cancel(
    work: &mut UnitOfWork,
    id: OrderId,
    approval: CancelApproval,
) -> Result<(), CheckoutError> {
    if !plan(work, id)? {
        return Ok(());
    }
    let CancelApproval { claim, refund, by } = approval;
    let events = work.decide::<Order>(id, OrderCommand::ApproveCancel { claim, refund, by })?;
    let order = work.state::<Order>(id);
    let made = order.claim(claim);
    let purchase_nos = made.map(|made| made.purchase_nos.clone());
    granted(work, id, &purchase_nos.unwrap_or_default(), &events)
}

/// Names the streams that canceling the order may write; whether all that is named so far is loaded.
fn plan(work: &mut UnitOfWork, id: OrderId) -> Result<bool, CheckoutError> {
    work.plan_write::<Order>(id);
    // contended streams are named last, when nothing else is left to be loaded
    if !work.is_loaded() {
        return Ok(false);
    }
    let order = work.state::<Order>(id);
    footprint_of(order.terms()?).plan(work);
    if let Some(payment) = order.paid.and_then(|paid| paid.payment) {
        work.plan_write::<Payment>(payment);
    }
    Ok(work.is_loaded())
}

fn granted(
    work: &mut UnitOfWork,
    id: OrderId,
    purchase_nos: &[String],
    events: &[OrderEvent],
) -> Result<(), CheckoutError> {
    let approved = events.iter().find_map(|event| match event {
        OrderEvent::CancelApproved { refund, terms, .. } => Some((*refund, terms)),
        _ => None,
    });
    let Some((refund, given)) = approved else {
        return Ok(());
    };
    let order = work.state::<Order>(id);
    let terms = order.terms()?;
    let back = Reversal {
        lines: terms
            .purchases
            .iter()
            .filter(|line| purchase_nos.contains(&line.purchase_no))
            .collect(),
        coupons: given.coupons.clone(),
        points: given.points.clone(),
    };
    give_back(work, id, terms, &back)?;
    let payment = order.paid.and_then(|paid| paid.payment);
    if let (Some(refund), Some(payment)) = (refund, payment) {
        let request = PaymentCommand::RequestRefund {
            refund,
            amount: given.money,
            reason: CANCELED.to_owned(),
        };
        work.decide::<Payment>(payment, request)?;
    }
    Ok(())
}

/// Stock, coupons and points that a cancellation gives back.
struct Reversal<'a> {
    lines: Vec<&'a PurchaseTerms>,
    coupons: Vec<IssuedCouponId>,
    points: Vec<LotPart>,
}

fn give_back(
    work: &mut UnitOfWork,
    id: OrderId,
    terms: &OrderTerms,
    back: &Reversal<'_>,
) -> Result<(), CheckoutError> {
    for (stock, (quantity, _)) in pieces(back.lines.iter().copied())? {
        let command = StockCommand::GiveBack {
            order: id,
            quantity,
        };
        work.decide::<Stock>(stock, command)?;
    }
    let coupons = terms.coupons.iter();
    for used in coupons.filter(|used| back.coupons.contains(&used.issued)) {
        work.decide::<IssuedCoupon>(used.issued, IssuedCouponCommand::Return { order: id })
            .map_err(|why| refused(used, why))?;
        if used.counted {
            let command = CampaignCommand::ReturnUse {
                issued: used.issued,
                order: id,
                amount: used.amount,
            };
            work.decide::<Campaign>(used.coupon, command)?;
        }
    }
    if let (Buyer::Member { id: member }, false) = (&terms.buyer, back.points.is_empty()) {
        let command = PointsCommand::Restore {
            order: id,
            parts: back.points.clone(),
        };
        work.decide::<Points>(points::stream_id(*member), command)?;
    }
    Ok(())
}
