//! Invariants of an order's frozen terms, and the sellers' part of its coupons.

use std::collections::BTreeSet;

use super::error::OrderError;
use super::events::{FareTerms, OrderTerms, PurchaseTerms};
use crate::allocation::{Weights, split};
use crate::coupon::Stage;
use crate::ids::MemberId;
use crate::money::Amount;
use crate::rounding::RoundingStep;

impl OrderTerms {
    /// The seller's part of this line's coupons (spec V096): of their own product coupons the stored share, of the seller's total
    /// coupons its share of their discount, by largest remainder.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where the sellers' part exceeds the discount.
    pub fn borne_by_seller_of_line(&self, line: &PurchaseTerms) -> Result<Amount, OrderError> {
        let own = self.coupons.iter().filter(|used| {
            used.stage == Stage::Product && used.purchase_no.as_ref() == Some(&line.purchase_no)
        });
        let own = Amount::total(own.map(|used| used.seller_share))?;
        let of_total = self.total_shares(line.seller)?;
        let place = self
            .purchases
            .iter()
            .filter(|other| other.seller == line.seller)
            .position(|other| other.purchase_no == line.purchase_no);
        Ok(own.plus(at(&of_total, place))?)
    }

    /// The seller's part of this fare's coupons.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where the sellers' part exceeds the discount.
    pub fn borne_by_seller_of_fare(&self, fare: &FareTerms) -> Result<Amount, OrderError> {
        let of_seller = || {
            self.fares
                .iter()
                .filter(|other| other.seller == fare.seller)
        };
        let weights: Vec<Amount> = of_seller().map(|other| other.fare_coupon).collect();
        let of_fares = share(self.borne(Stage::Fare, fare.seller)?, &weights, self.step)?;
        let of_total = self.total_shares(fare.seller)?;
        let place = of_seller().position(|other| other == fare);
        let lines = self
            .purchases
            .iter()
            .filter(|line| line.seller == fare.seller)
            .count();
        let total_place = place.map(|place| place.saturating_add(lines));
        Ok(at(&of_fares, place).plus(at(&of_total, total_place))?)
    }

    /// The seller's part of their coupons of one stage.
    fn borne(&self, stage: Stage, seller: MemberId) -> Result<Amount, OrderError> {
        let used = self
            .coupons
            .iter()
            .filter(|used| used.stage == stage && used.seller == Some(seller));
        Ok(Amount::total(used.map(|used| used.seller_share))?)
    }

    /// The seller's part of total coupons, by line and then by fare.
    fn total_shares(&self, seller: MemberId) -> Result<Vec<Amount>, OrderError> {
        let lines = self.purchases.iter().filter(|line| line.seller == seller);
        let fares = self.fares.iter().filter(|fare| fare.seller == seller);
        let weights: Vec<Amount> = lines
            .map(|line| line.total_coupon)
            .chain(fares.map(|fare| fare.total_coupon))
            .collect();
        share(self.borne(Stage::Total, seller)?, &weights, self.step)
    }
}

/// Splits `total` by `weights`; no share exceeds its weight.
fn share(total: Amount, weights: &[Amount], step: RoundingStep) -> Result<Vec<Amount>, OrderError> {
    let more_than_taken =
        || OrderError::TermsDoNotAddUp("a seller bears more than was taken off".to_owned());
    if total > Amount::total(weights.iter().copied())? {
        return Err(more_than_taken());
    }
    split(total, Weights::Amounts(weights), step).map_err(|_| more_than_taken())
}

fn at(shares: &[Amount], place: Option<usize>) -> Amount {
    place
        .and_then(|place| shares.get(place))
        .copied()
        .unwrap_or_default()
}

impl PurchaseTerms {
    /// Unit price times quantity.
    ///
    /// # Errors
    /// An overflow.
    pub fn goods(&self) -> Result<Amount, OrderError> {
        Ok(self.unit_price.times(self.quantity)?)
    }

    /// Price of the goods before coupons, by which fares are computed.
    ///
    /// # Errors
    /// An overflow.
    pub(super) fn sale_price(&self) -> Result<Amount, OrderError> {
        let goods = self.goods()?;
        Ok(goods
            .minus(self.product_discount)?
            .minus(self.level_discount)?)
    }
}

impl FareTerms {
    /// Fare, island and service fee before coupons.
    ///
    /// # Errors
    /// An overflow.
    pub fn gross(&self) -> Result<Amount, OrderError> {
        Ok(Amount::total([
            self.fare,
            self.island_fee,
            self.service_fee,
        ])?)
    }
}

/// Checks the invariants of the frozen terms, on which accounting relies.
pub(super) fn check(terms: &OrderTerms) -> Result<(), OrderError> {
    let numbers: BTreeSet<&str> = terms
        .purchases
        .iter()
        .map(|purchase| purchase.purchase_no.as_str())
        .collect();
    ensure(!terms.purchases.is_empty(), || "no purchases".to_owned())?;
    ensure(numbers.len() == terms.purchases.len(), || {
        "a purchase number comes twice".to_owned()
    })?;
    for purchase in &terms.purchases {
        check_purchase(purchase)?;
    }
    for fare in &terms.fares {
        check_fare(fare)?;
        ensure(
            fare.purchase_nos
                .iter()
                .all(|no| numbers.contains(no.as_str())),
            || format!("fare {} carries an unknown purchase", fare.name),
        )?;
    }
    check_totals(terms)?;
    check_coupons(terms)
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), OrderError> {
    if holds {
        Ok(())
    } else {
        Err(OrderError::TermsDoNotAddUp(message()))
    }
}

fn check_purchase(purchase: &PurchaseTerms) -> Result<(), OrderError> {
    let no = &purchase.purchase_no;
    let parts = [
        purchase.product_discount,
        purchase.level_discount,
        purchase.product_coupon,
        purchase.total_coupon,
        purchase.points,
        purchase.paid,
    ];
    ensure(purchase.quantity > 0, || format!("{no}: no pieces"))?;
    ensure(parts.iter().all(|part| !part.is_negative()), || {
        format!("{no}: a negative amount")
    })?;
    ensure(purchase.goods()? == Amount::total(parts)?, || {
        format!("{no}: goods are not discounts plus paid")
    })
}

fn check_fare(fare: &FareTerms) -> Result<(), OrderError> {
    let parts = [fare.fare_coupon, fare.total_coupon, fare.points, fare.paid];
    let fees = [fare.fare, fare.island_fee, fare.service_fee];
    let name = &fare.name;
    ensure(!fare.purchase_nos.is_empty(), || {
        format!("fare {name} carries nothing")
    })?;
    ensure(
        parts.iter().chain(&fees).all(|part| !part.is_negative()),
        || format!("fare {name}: a negative amount"),
    )?;
    ensure(fare.gross()? == Amount::total(parts)?, || {
        format!("fare {name}: fees are not discounts plus paid")
    })
}

fn check_totals(terms: &OrderTerms) -> Result<(), OrderError> {
    let of_lines = |amount: fn(&PurchaseTerms) -> Amount| -> Result<Amount, OrderError> {
        Ok(Amount::total(terms.purchases.iter().map(amount))?)
    };
    let of_fares = |amount: fn(&FareTerms) -> Amount| -> Result<Amount, OrderError> {
        Ok(Amount::total(terms.fares.iter().map(amount))?)
    };
    let mut goods = Amount::ZERO;
    for purchase in &terms.purchases {
        goods = goods.plus(purchase.goods()?)?;
    }
    let mut fares = Amount::ZERO;
    for fare in &terms.fares {
        fares = fares.plus(fare.gross()?)?;
    }
    let total = &terms.totals;
    let lots = Amount::total(terms.points.iter().map(|part| part.amount))?;
    for (name, stated, summed) in [
        ("goods", total.goods, goods),
        (
            "product discount",
            total.product_discount,
            of_lines(|line| line.product_discount)?,
        ),
        (
            "level discount",
            total.level_discount,
            of_lines(|line| line.level_discount)?,
        ),
        (
            "product coupons",
            total.product_coupon,
            of_lines(|line| line.product_coupon)?,
        ),
        ("fares", total.fares, fares),
        (
            "fare coupons",
            total.fare_coupon,
            of_fares(|fare| fare.fare_coupon)?,
        ),
        (
            "total coupons",
            total.total_coupon,
            of_lines(|line| line.total_coupon)?.plus(of_fares(|fare| fare.total_coupon)?)?,
        ),
        (
            "points",
            total.points,
            of_lines(|line| line.points)?.plus(of_fares(|fare| fare.points)?)?,
        ),
        ("points by lot", total.points, lots),
        (
            "payable",
            total.payable,
            of_lines(|line| line.paid)?.plus(of_fares(|fare| fare.paid)?)?,
        ),
    ] {
        ensure(stated == summed, || {
            format!("{name}: {stated} stated, {summed} summed")
        })?;
    }
    Ok(())
}

fn check_coupons(terms: &OrderTerms) -> Result<(), OrderError> {
    for (stage, stated) in [
        (Stage::Product, terms.totals.product_coupon),
        (Stage::Fare, terms.totals.fare_coupon),
        (Stage::Total, terms.totals.total_coupon),
    ] {
        let used = terms.coupons.iter().filter(|used| used.stage == stage);
        let summed = Amount::total(used.map(|used| used.amount))?;
        ensure(stated == summed, || {
            format!("{stage:?} coupons: {stated} stated, {summed} used")
        })?;
    }
    for used in &terms.coupons {
        ensure(
            !used.seller_share.is_negative() && used.seller_share <= used.amount,
            || format!("coupon {}: the seller bears more than all of it", used.name),
        )?;
        ensure(used.seller.is_some() || used.seller_share.is_zero(), || {
            format!("coupon {}: a seller's share without a seller", used.name)
        })?;
    }
    for fare in &terms.fares {
        terms.borne_by_seller_of_fare(fare)?;
    }
    for purchase in &terms.purchases {
        terms.borne_by_seller_of_line(purchase)?;
        let used = terms
            .coupons
            .iter()
            .filter(|used| used.stage == Stage::Product)
            .filter(|used| used.purchase_no.as_ref() == Some(&purchase.purchase_no));
        let summed = Amount::total(used.map(|used| used.amount))?;
        ensure(purchase.product_coupon == summed, || {
            format!(
                "{}: product coupons are {summed}, not {}",
                purchase.purchase_no, purchase.product_coupon
            )
        })?;
    }
    Ok(())
}
