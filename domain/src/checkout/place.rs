//! Placing an order.

use std::collections::{BTreeMap, BTreeSet};

use super::{CheckoutError, footprint_of, pieces, refused};
use crate::coupon::{
    Campaign, CampaignCommand, CampaignError, IssuedCoupon, IssuedCouponCommand, IssuedCouponError,
};
use crate::ids::{MemberId, OrderId, ProductId, StockId};
use crate::member::Member;
use crate::money::Amount;
use crate::order::{Buyer, CouponUse, LotPart, Order, OrderCommand, OrderTerms, PurchaseTerms};
use crate::points::{self, Points, PointsCommand, PointsError, PointsEvent};
use crate::stock::{Stock, StockCommand, StockError};
use crate::unit_of_work::UnitOfWork;

/// Members whose accounts must be open when an order with these terms is placed: the buyer, unless a guest, and the sellers.
pub fn parties_of(terms: &OrderTerms) -> BTreeSet<MemberId> {
    let sellers = terms.purchases.iter().map(|line| line.seller);
    match terms.buyer {
        Buyer::Member { id } => sellers.chain([id]).collect(),
        Buyer::Guest { .. } => sellers.collect(),
    }
}

/// Places an order: takes its stock, uses its coupons and spends its points, or rejects all of it.
///
/// Fills in `terms.points` (the lots the points come from); the rest of `terms` is the quote. `goods` is the product each stock
/// aggregate must belong to. Quantities of purchases that share a stock aggregate are summed before it is checked. An order with
/// nothing to pay is paid in the same decision.
///
/// # Errors
/// [`CheckoutError`]: the first rule violated.
pub fn place(
    work: &mut UnitOfWork,
    id: OrderId,
    mut terms: OrderTerms,
    goods: &BTreeMap<StockId, ProductId>,
) -> Result<(), CheckoutError> {
    work.plan_write::<Order>(id);
    footprint_of(&terms).plan(work);
    for member in parties_of(&terms) {
        work.plan_read::<Member>(member);
    }
    if !work.is_loaded() {
        return Ok(());
    }
    nobody_left(work, &terms)?;
    take_stock(work, id, &terms.purchases, goods)?;
    let mut used = BTreeSet::new();
    for coupon in &terms.coupons {
        if !used.insert(coupon.issued) {
            return Err(refused(coupon, IssuedCouponError::Used));
        }
        use_coupon(work, id, &terms.buyer, coupon)?;
    }
    terms.points = spend_points(work, id, &terms)?;
    let payable = terms.totals.payable;
    work.decide::<Order>(id, OrderCommand::Place(Box::new(terms)))?;
    if payable.is_zero() {
        let pay = OrderCommand::Pay {
            payment: None,
            amount: payable,
        };
        work.decide::<Order>(id, pay)?;
    }
    Ok(())
}

/// Rejects orders whose buyer or seller has closed their account, whatever tokens or caches still allow.
fn nobody_left(work: &mut UnitOfWork, terms: &OrderTerms) -> Result<(), CheckoutError> {
    let mut has_left = |member: MemberId| work.state::<Member>(member).left;
    if let Buyer::Member { id } = terms.buyer
        && has_left(id)
    {
        return Err(CheckoutError::BuyerLeft);
    }
    match terms.purchases.iter().find(|line| has_left(line.seller)) {
        Some(line) => Err(CheckoutError::SellerLeft {
            product: line.product,
            name: line.name.clone(),
        }),
        None => Ok(()),
    }
}

fn take_stock(
    work: &mut UnitOfWork,
    id: OrderId,
    lines: &[PurchaseTerms],
    goods: &BTreeMap<StockId, ProductId>,
) -> Result<(), CheckoutError> {
    for (stock, (quantity, names)) in pieces(lines)? {
        let counted = work.state::<Stock>(stock).product;
        if let (Some(counted), Some(sold)) = (counted, goods.get(&stock))
            && counted != *sold
        {
            return Err(CheckoutError::OtherGoods { stock, names });
        }
        let command = StockCommand::Take {
            order: id,
            quantity,
        };
        work.decide::<Stock>(stock, command)
            .map_err(|error| match error {
                StockError::SoldOut { available } => CheckoutError::SoldOut {
                    stock,
                    names,
                    available,
                },
                other => CheckoutError::Stock(other),
            })?;
    }
    Ok(())
}

fn use_coupon(
    work: &mut UnitOfWork,
    id: OrderId,
    buyer: &Buyer,
    used: &CouponUse,
) -> Result<(), CheckoutError> {
    let Buyer::Member { id: member } = *buyer else {
        return Err(refused(used, IssuedCouponError::Foreign));
    };
    let command = IssuedCouponCommand::Use {
        order: id,
        member,
        amount: used.amount,
    };
    let events = work
        .decide::<IssuedCoupon>(used.issued, command)
        .map_err(|why| refused(used, why))?;
    // A use already recorded by the coupon is already counted.
    if used.counted && !events.is_empty() {
        let command = CampaignCommand::CountUse {
            issued: used.issued,
            member,
            order: id,
            amount: used.amount,
        };
        work.decide::<Campaign>(used.coupon, command)
            .map_err(|error| match error {
                CampaignError::UsedUp => CheckoutError::CouponUsedUp {
                    issued: used.issued,
                    name: used.name.clone(),
                },
                other => CheckoutError::Campaign(other),
            })?;
    }
    Ok(())
}

/// Spends the points of the terms; returns the lots they come from.
fn spend_points(
    work: &mut UnitOfWork,
    id: OrderId,
    terms: &OrderTerms,
) -> Result<Vec<LotPart>, CheckoutError> {
    let amount = terms.totals.points;
    if amount.is_zero() {
        return Ok(Vec::new());
    }
    let short = CheckoutError::PointsShort {
        available: Amount::ZERO,
    };
    let Buyer::Member { id: owner } = terms.buyer else {
        return Err(short);
    };
    let stream = points::stream_id(owner);
    if work.state::<Points>(&stream).member != Some(owner) {
        return Err(short);
    }
    let events = work
        .decide::<Points>(&stream, PointsCommand::Spend { order: id, amount })
        .map_err(|error| match error {
            PointsError::Short { available } => CheckoutError::PointsShort { available },
            other => CheckoutError::Points(other),
        })?;
    let parts = events.into_iter().flat_map(|event| match event {
        PointsEvent::PointsSpent { parts, .. } => parts,
        _ => Vec::new(),
    });
    Ok(parts.collect())
}
