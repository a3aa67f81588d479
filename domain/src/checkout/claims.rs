//! Claims on paid purchases: once one is approved, stock, coupons, points and money are given back in the same decision; the replacement of
//! an exchange takes and releases its stock there too.

use std::collections::{BTreeMap, BTreeSet};

use super::CheckoutError;
use super::give_back::{GivenLine, Reversal, give_back, plan};
use super::payments::{CANCELED, EXCHANGED, RETURNED};
use super::user_payments::{REJECTED, follow_fees};
use crate::ids::{LotId, OrderId, RefundId, StockId};
use crate::money::Amount;
use crate::order::{
    Buyer, CancelRequest, ClaimAnswer, ClaimKind, Order, OrderCommand, OrderEvent, RefundTerms,
    ReturnRequest, lot_earned_by,
};
use crate::payment::{Payment, PaymentCommand};
use crate::points::{self, Points, PointsCommand};
use crate::stock::{Stock, StockCommand, StockError};
use crate::unit_of_work::UnitOfWork;

/// Requests the cancellation of paid purchases. For the claims the order approves immediately, stock, coupons and points are given back and
/// one refund of all of them is requested in the same decision.
///
/// # Errors
/// [`CheckoutError`].
pub fn request_cancel(
    work: &mut UnitOfWork,
    id: OrderId,
    request: CancelRequest,
) -> Result<(), CheckoutError> {
    decide_claim(work, id, OrderCommand::RequestCancel(Box::new(request)))
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
    decide_claim(work, id, OrderCommand::RequestReturn(Box::new(request)))
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
    decide_claim(work, id, OrderCommand::ApproveClaim(Box::new(answer)))
}

/// Decides a command on a claim, with what it gives back, the stock that the replacement of an exchange takes or releases, and the user
/// payment for the fee of an exchange.
///
/// # Errors
/// [`CheckoutError`].
pub fn decide_claim(
    work: &mut UnitOfWork,
    id: OrderId,
    command: OrderCommand,
) -> Result<(), CheckoutError> {
    if !plan(work, id)? {
        return Ok(());
    }
    let before = work.state::<Order>(id);
    let command = with_earned_points(work, &before, command)?;
    let events = work.decide::<Order>(id, command)?;
    granted(work, id, &events)?;
    fees_back(work, &events)?;
    exchanged(work, (id, &before), &events)?;
    follow_fees(work, (id, &before))
}

/// Adds what the buyer holds of the points that a purchase to be returned earned.
fn with_earned_points(
    work: &mut UnitOfWork,
    order: &Order,
    command: OrderCommand,
) -> Result<OrderCommand, CheckoutError> {
    let earned = match &command {
        OrderCommand::RequestReturn(request) => Some(request.pieces.purchase_no.as_str()),
        OrderCommand::ApproveClaim(answer) => order
            .claim(answer.claim)
            .and_then(|made| made.purchase_nos.first())
            .map(String::as_str),
        OrderCommand::ShipReplacement { claim, .. } => order
            .claim(*claim)
            .and_then(|made| made.purchase_nos.first())
            .map(String::as_str),
        _ => None,
    };
    let lot = earned.and_then(|no| lot_earned(order, no));
    let (Some(lot), Some(Buyer::Member { id: member })) = (lot, order.buyer()) else {
        return Ok(command);
    };
    let now = work.context().now;
    let points = work.state::<Points>(points::stream_id(*member));
    let earned = points.earned(lot, now)?;
    Ok(match command {
        OrderCommand::RequestReturn(request) => {
            OrderCommand::RequestReturn(Box::new(ReturnRequest { earned, ..*request }))
        }
        OrderCommand::ApproveClaim(answer) => {
            OrderCommand::ApproveClaim(Box::new(ClaimAnswer { earned, ..*answer }))
        }
        OrderCommand::ShipReplacement {
            claim,
            invoice,
            auto_deliver_days,
            by,
            ..
        } => OrderCommand::ShipReplacement {
            claim,
            invoice,
            auto_deliver_days,
            by,
            earned,
        },
        command => command,
    })
}

/// The lot of the points a purchase earned when it was confirmed.
fn lot_earned(order: &Order, purchase_no: &str) -> Option<LotId> {
    let confirmed = order.confirmation(purchase_no)?;
    Some(lot_earned_by(&confirmed.purchase_no))
}

/// Takes and releases the stock by which the order's holdings changed. Goods that came back for a replacement and cannot be sold again are
/// written off.
fn exchanged(
    work: &mut UnitOfWork,
    (id, before): (OrderId, &Order),
    events: &[OrderEvent],
) -> Result<(), CheckoutError> {
    let held = before.held_stock();
    let holds = work.state::<Order>(id).held_stock();
    let written_off = written_off(before, events);
    let stocks: BTreeSet<StockId> = held.keys().chain(holds.keys()).copied().collect();
    let pieces = |of: &BTreeMap<StockId, u32>, stock| of.get(&stock).copied().unwrap_or_default();
    for stock in stocks {
        let (had, has) = (pieces(&held, stock), pieces(&holds, stock));
        let freed = had.saturating_sub(has);
        let off = pieces(&written_off, stock).min(freed);
        let order = id;
        let moves = [
            StockCommand::Take {
                order,
                quantity: has.saturating_sub(had),
            },
            StockCommand::GiveBack {
                order,
                quantity: freed.saturating_sub(off),
            },
            StockCommand::WriteOff {
                order,
                quantity: off,
            },
        ];
        for command in moves {
            if command.pieces() > 0 {
                work.decide::<Stock>(stock, command)
                    .map_err(|why| not_in_stock(before, (stock, events), why))?;
            }
        }
    }
    Ok(())
}

/// Stock of the goods that came back for replacements sent by `events` and cannot be sold again.
fn written_off(before: &Order, events: &[OrderEvent]) -> BTreeMap<StockId, u32> {
    let mut off: BTreeMap<StockId, u32> = BTreeMap::new();
    for event in events {
        let OrderEvent::ReplacementShipped { claim, .. } = event else {
            continue;
        };
        let Some(made) = before.claim(*claim) else {
            continue;
        };
        let lines = made
            .purchase_nos
            .iter()
            .filter_map(|no| before.purchase_terms(no));
        for line in lines {
            for taken in &line.stock {
                let pieces = taken.of_pieces(line.quantity, made.written_off()).quantity;
                let so_far = off.entry(taken.stock).or_default();
                *so_far = so_far.saturating_add(pieces);
            }
        }
    }
    off
}

/// The error for a replacement that is out of stock, with the name of the goods.
fn not_in_stock(
    before: &Order,
    (stock, events): (StockId, &[OrderEvent]),
    why: StockError,
) -> CheckoutError {
    let StockError::SoldOut { available } = why else {
        return CheckoutError::Stock(why);
    };
    let accepted = events.iter().filter_map(|event| match event {
        OrderEvent::ExchangeAccepted { claim } => before.claim(*claim),
        _ => None,
    });
    let lines = accepted
        .flat_map(|made| &made.purchase_nos)
        .filter_map(|no| before.purchase_terms(no));
    CheckoutError::SoldOut {
        stock,
        names: lines.map(|line| line.name.clone()).collect(),
        available,
    }
}

/// Gives back what is approved in `events`.
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
    let mut others = Vec::new();
    let mut refunded: Option<(RefundId, &str)> = None;
    let mut revoked: Vec<(LotId, Amount)> = Vec::new();
    for (claim, refund, given) in approvals {
        let Some(made) = order.claim(claim) else {
            continue;
        };
        let its = terms
            .purchases
            .iter()
            .filter(|line| made.purchase_nos.contains(&line.purchase_no));
        // The stock of an exchange follows from what the order holds.
        let its = its.filter(|_| made.kind() != ClaimKind::Exchange);
        back.lines
            .extend(its.map(|line| GivenLine::less(line, made.written_off())));
        back.coupons.extend(&given.coupons);
        for part in &given.points {
            match back.points.iter_mut().find(|known| known.lot == part.lot) {
                Some(known) => known.amount = known.amount.plus(part.amount)?,
                None => back.points.push(*part),
            }
        }
        let lots = made.purchase_nos.iter();
        let lot = lots.filter_map(|no| lot_earned(&order, no)).next();
        let points = given.reclaimed.map(|reclaimed| reclaimed.points);
        revoked.extend(lot.zip(points.filter(|points| !points.is_zero())));
        money = money.plus(given.of_order()?)?;
        let reason = reason_of(made.kind());
        others.extend(given.others.iter().map(|other| (*other, reason)));
        refunded = refund.map(|refund| (refund, reason)).or(refunded);
    }
    give_back(work, id, terms, &back)?;
    for (lot, amount) in revoked {
        if let Buyer::Member { id: member } = &terms.buyer {
            let order = id;
            let command = PointsCommand::Revoke { order, lot, amount };
            work.decide::<Points>(points::stream_id(*member), command)?;
        }
    }
    let payment = order.paid.and_then(|paid| paid.payment);
    let of_order = refunded.zip(payment);
    let of_order = of_order.map(|((refund, reason), payment)| (payment, refund, money, reason));
    let others = others
        .into_iter()
        .map(|(other, reason)| (other.payment, other.refund, other.amount, reason));
    for (payment, refund, amount, reason) in of_order.into_iter().chain(others) {
        let request = PaymentCommand::RequestRefund {
            refund,
            amount,
            reason: reason.to_owned(),
        };
        work.decide::<Payment>(payment, request)?;
    }
    Ok(())
}

/// Requests the refunds of what buyers paid for exchanges that are rejected, unless they paid by bank transfer.
fn fees_back(work: &mut UnitOfWork, events: &[OrderEvent]) -> Result<(), CheckoutError> {
    for event in events {
        if let OrderEvent::ExchangeFeeRefunded {
            amount,
            payment: Some(payment),
            refund,
            ..
        } = event
        {
            let request = PaymentCommand::RequestRefund {
                refund: *refund,
                amount: *amount,
                reason: REJECTED.to_owned(),
            };
            work.decide::<Payment>(*payment, request)?;
        }
    }
    Ok(())
}

/// The reason of the refund of a claim.
const fn reason_of(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Cancel => CANCELED,
        ClaimKind::Return => RETURNED,
        ClaimKind::Exchange => EXCHANGED,
    }
}

/// An approval, or the refund of an exchange's difference: the claim, its refund and what it gives back.
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
        }
        | OrderEvent::PriceDifferenceRefunded {
            claim,
            refund,
            terms,
            ..
        } => Some((*claim, *refund, terms)),
        _ => None,
    }
}
