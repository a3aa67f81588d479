//! The parts of a quote that an order freezes: its purchases, fares, coupons and totals.

use super::{PricedLine, Request};
use crate::coupon::Stage;
use crate::ids::StockId;
use crate::money::{Amount, MoneyError};
use crate::order::{CouponUse, FareTerms, PurchaseTerms, StockTaken, Totals};
use crate::pricing::coupon::{self, CouponRefusal};
use crate::pricing::discount_allocation::{AllocatedDiscount, Allocation, AllocationStep};
use crate::pricing::error::PricingError;
use crate::pricing::shipments::Shipment;

/// Discounts of the coupons of `stage`, by line or by fare.
fn taken_by(
    steps: &[AllocationStep],
    outcome: &Allocation,
    stage: Stage,
    share: impl Fn(&AllocatedDiscount) -> Option<Amount>,
) -> Result<Amount, MoneyError> {
    Amount::total(
        steps
            .iter()
            .zip(&outcome.steps)
            .filter(|(step, _)| step.target.stage() == stage)
            .filter_map(|(_, taken)| share(taken)),
    )
}

pub(super) fn purchases(
    request: &Request<'_>,
    priced: &[PricedLine<'_>],
    steps: &[AllocationStep],
    outcome: &Allocation,
) -> Result<Vec<PurchaseTerms>, PricingError> {
    let shares = outcome.points.lines.iter().zip(&outcome.lines);
    request
        .lines
        .iter()
        .zip(priced)
        .zip(shares)
        .enumerate()
        .map(|(place, ((line, priced), (points, paid)))| {
            let coupon = |stage| {
                taken_by(steps, outcome, stage, |taken| {
                    taken.lines.get(place).copied()
                })
            };
            let own = StockTaken {
                stock: StockId(
                    priced
                        .option
                        .map_or(line.product_id.0, |option| option.id.0),
                ),
                quantity: line.quantity,
            };
            let thumb = &line.product.thumb.url;
            Ok(PurchaseTerms {
                purchase_no: line.purchase_no.clone(),
                product: line.product_id,
                product_type: line.product.kind,
                option: match line.product.is_choice() {
                    true => line.option,
                    false => priced.option.map(|option| option.id),
                },
                seller: line.product.seller,
                code: line.product.code.clone(),
                name: line.product.name.clone(),
                option_name: priced
                    .option
                    .map(|option| option.value.clone())
                    .or_else(|| line.choice.clone()),
                thumb: (!thumb.is_empty()).then(|| thumb.clone()),
                quantity: line.quantity,
                stock: if line.parts.is_empty() {
                    vec![own]
                } else {
                    line.parts.clone()
                },
                unit_price: priced.unit_price,
                product_discount: priced.product_discount,
                level_discount: priced.level_discount,
                product_coupon: coupon(Stage::Product)?,
                total_coupon: coupon(Stage::Total)?,
                points: *points,
                paid: *paid,
                difference: Amount::ZERO,
                product_version: line.product_version,
            })
        })
        .collect()
}

pub(super) fn fare_terms(
    request: &Request<'_>,
    parcels: &[Shipment<'_>],
    steps: &[AllocationStep],
    outcome: &Allocation,
) -> Result<Vec<FareTerms>, PricingError> {
    let shares = outcome.points.fares.iter().zip(&outcome.fares);
    parcels
        .iter()
        .zip(shares)
        .enumerate()
        .map(|(place, (parcel, (points, paid)))| {
            let coupon = |stage| {
                taken_by(steps, outcome, stage, |taken| {
                    taken.fares.get(place).copied()
                })
            };
            Ok(FareTerms {
                seller: parcel.seller,
                purchase_nos: request
                    .lines
                    .iter()
                    .enumerate()
                    .filter(|(line, _)| parcel.carries.contains(line))
                    .map(|(_, line)| line.purchase_no.clone())
                    .collect(),
                name: parcel.option.name.clone(),
                method: parcel.option.method,
                bundle_type: parcel.option.bundle_type,
                charge_type: parcel.option.charge_type,
                fare: parcel.fare,
                island_fee: parcel.island_fee,
                service_fee: parcel.service_fee,
                fare_coupon: coupon(Stage::Fare)?,
                total_coupon: coupon(Stage::Total)?,
                points: *points,
                paid: *paid,
            })
        })
        .collect()
}

pub(super) fn coupon_uses(
    request: &Request<'_>,
    outcome: &Allocation,
) -> Result<Vec<CouponUse>, PricingError> {
    let mut uses = request
        .coupons
        .iter()
        .zip(&outcome.steps)
        .map(|(used, taken)| {
            let refused = |why| PricingError::CouponNotApplicable {
                issued: used.issued,
                why,
            };
            if taken.amount.is_zero() {
                return Err(refused(CouponRefusal::TakesNothing));
            }
            Ok(CouponUse {
                issued: used.issued,
                coupon: used.coupon,
                name: used.terms.name.clone(),
                stage: used.terms.stage,
                purchase_no: used.purchase_no.clone(),
                seller: used.terms.seller,
                amount: taken.amount,
                seller_share: coupon::seller_share(&used.terms, taken.amount, request.step)
                    .map_err(refused)?,
                counted: used.terms.counted,
                returnable: used.terms.returnable,
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    uses.sort_by_key(|used| used.stage);
    Ok(uses)
}

pub(super) fn totals(
    purchases: &[PurchaseTerms],
    fares: &[FareTerms],
) -> Result<Totals, PricingError> {
    let lines = |of: fn(&PurchaseTerms) -> Amount| Amount::total(purchases.iter().map(of));
    let delivery = |of: fn(&FareTerms) -> Amount| Amount::total(fares.iter().map(of));
    let goods = purchases
        .iter()
        .map(|purchase| purchase.unit_price.times(purchase.quantity))
        .try_fold(Amount::ZERO, |sum, amount| sum.plus(amount?))?;
    let payable = lines(|line| line.paid)?.plus(delivery(|fare| fare.paid)?)?;
    Ok(Totals {
        goods,
        product_discount: lines(|line| line.product_discount)?,
        level_discount: lines(|line| line.level_discount)?,
        product_coupon: lines(|line| line.product_coupon)?,
        fares: delivery(|fare| fare.fare)?
            .plus(delivery(|fare| fare.island_fee)?)?
            .plus(delivery(|fare| fare.service_fee)?)?,
        fare_coupon: delivery(|fare| fare.fare_coupon)?,
        total_coupon: lines(|line| line.total_coupon)?.plus(delivery(|fare| fare.total_coupon)?)?,
        points: lines(|line| line.points)?.plus(delivery(|fare| fare.points)?)?,
        payable,
    })
}
