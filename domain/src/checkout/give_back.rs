//! What a cancellation or return gives back besides money: stock, coupons and points.

use std::collections::BTreeMap;

use super::{CheckoutError, footprint_of, refused, user_payments};
use crate::coupon::{Campaign, CampaignCommand, IssuedCoupon, IssuedCouponCommand};
use crate::ids::{IssuedCouponId, OrderId, StockId};
use crate::order::{Buyer, Claim, LotPart, Order, OrderTerms, PurchaseTerms};
use crate::payment::Payment;
use crate::points::{self, Points, PointsCommand};
use crate::stock::{Stock, StockCommand, StockError};
use crate::unit_of_work::UnitOfWork;
use crate::user_payment::UserPayment;

/// Plans the streams that giving back purchases of the order may write; returns whether all streams planned so far are loaded.
pub(super) fn plan(work: &mut UnitOfWork, id: OrderId) -> Result<bool, CheckoutError> {
    work.plan_write::<Order>(id);
    // contended streams are planned last, when nothing else is left to be loaded
    if !work.is_loaded() {
        return Ok(false);
    }
    let order = work.state::<Order>(id);
    for user_payment in user_payments::of_order(&order) {
        work.plan_read::<UserPayment>(user_payment);
    }
    if !work.is_loaded() {
        return Ok(false);
    }
    footprint_of(order.terms()?).plan(work);
    let exchanges = order.claims.iter().filter(|claim| claim.is_open());
    for exchange in exchanges.filter_map(Claim::exchange) {
        for taken in &exchange.replacement.stock {
            work.plan_write::<Stock>(taken.stock);
        }
    }
    let is_confirmed = order.purchases.iter().any(|one| one.confirmed.is_some());
    if let (Some(Buyer::Member { id: member }), true) = (order.buyer(), is_confirmed) {
        work.plan_write::<Points>(points::stream_id(*member));
    }
    if let Some(payment) = order.paid.and_then(|paid| paid.payment) {
        work.plan_write::<Payment>(payment);
    }
    Ok(work.is_loaded())
}

/// Stock, coupons and points that go back.
pub(super) struct Reversal<'a> {
    pub lines: Vec<GivenLine<'a>>,
    pub coupons: Vec<IssuedCouponId>,
    pub points: Vec<LotPart>,
}

/// A line whose stock goes back.
pub(super) struct GivenLine<'a> {
    line: &'a PurchaseTerms,
    /// Pieces that cannot be sold again.
    written_off: u32,
}

impl<'a> GivenLine<'a> {
    /// A line of which all pieces can be sold again.
    pub const fn whole(line: &'a PurchaseTerms) -> Self {
        Self {
            line,
            written_off: 0,
        }
    }

    /// A line of which some pieces are written off.
    pub const fn less(line: &'a PurchaseTerms, written_off: u32) -> Self {
        Self { line, written_off }
    }

    /// Its stock: the pieces that can be sold again, and those written off.
    fn stock(&self) -> impl Iterator<Item = (StockId, u32, u32)> + '_ {
        self.line.stock.iter().map(|taken| {
            let each = taken
                .quantity
                .checked_div(self.line.quantity)
                .unwrap_or_default();
            let off = each.saturating_mul(self.written_off).min(taken.quantity);
            (taken.stock, taken.quantity.saturating_sub(off), off)
        })
    }
}

/// Writes what is given back.
///
/// # Errors
/// [`CheckoutError`].
pub(super) fn give_back(
    work: &mut UnitOfWork,
    id: OrderId,
    terms: &OrderTerms,
    back: &Reversal<'_>,
) -> Result<(), CheckoutError> {
    let mut stock: BTreeMap<StockId, (u32, u32)> = BTreeMap::new();
    for (of, sellable, off) in back.lines.iter().flat_map(GivenLine::stock) {
        let (given, written_off) = stock.entry(of).or_default();
        *given = given.checked_add(sellable).ok_or(StockError::TooMany)?;
        *written_off = written_off.checked_add(off).ok_or(StockError::TooMany)?;
    }
    for (of, (given, written_off)) in stock {
        if given > 0 {
            let quantity = given;
            let command = StockCommand::GiveBack {
                order: id,
                quantity,
            };
            work.decide::<Stock>(of, command)?;
        }
        if written_off > 0 {
            let quantity = written_off;
            let command = StockCommand::WriteOff {
                order: id,
                quantity,
            };
            work.decide::<Stock>(of, command)?;
        }
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
