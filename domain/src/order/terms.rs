//! The money side of an order: do its frozen terms add up, what does canceling some of its purchases give back, and which part of
//! its coupons do sellers bear.
//!
//! Nothing is recomputed from today's prices: a canceled purchase gives back its own frozen shares.

use std::collections::{BTreeMap, BTreeSet};

use super::events::{CouponUse, FareTerms, LotPart, OrderTerms, PurchaseTerms, RefundTerms};
use super::ledger::{Claim, ClaimState, Order, OrderError};
use crate::coupon::Stage;
use crate::ids::{ClaimId, LotId, MemberId};
use crate::money::Amount;
use crate::rounding::RoundingStep;
use crate::split::split;

impl OrderTerms {
    /// The part of this line's coupons its seller bears (spec V096): of its own product coupons what they say, of the
    /// seller's total coupons its share of what they took off, by largest remainder.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where sellers bear more than was taken off.
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

    /// The part of this fare's coupons its seller bears.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where sellers bear more than was taken off.
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

    /// What a seller bears of their coupons of one stage.
    fn borne(&self, stage: Stage, seller: MemberId) -> Result<Amount, OrderError> {
        let used = self
            .coupons
            .iter()
            .filter(|used| used.stage == stage && used.seller == Some(seller));
        Ok(Amount::total(used.map(|used| used.seller_share))?)
    }

    /// What a seller bears of total coupons, over their lines and then their fares.
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

/// Shares of `total` by `weights`, none above its weight.
fn share(total: Amount, weights: &[Amount], step: RoundingStep) -> Result<Vec<Amount>, OrderError> {
    let more_than_taken =
        || OrderError::TermsDoNotAddUp("a seller bears more than was taken off".to_owned());
    if total > Amount::total(weights.iter().copied())? {
        return Err(more_than_taken());
    }
    let weights: Vec<i64> = weights.iter().map(|weight| weight.hundredths()).collect();
    split(total, &weights, step).map_err(|_| more_than_taken())
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

/// Whether the frozen terms are free of contradictions, so that the books can be kept from them.
pub(super) fn check(terms: &OrderTerms) -> Result<(), OrderError> {
    let numbers: BTreeSet<&str> = terms
        .purchases
        .iter()
        .map(|purchase| purchase.purchase_no.as_str())
        .collect();
    hold(!terms.purchases.is_empty(), || "no purchases".to_owned())?;
    hold(numbers.len() == terms.purchases.len(), || {
        "a purchase number comes twice".to_owned()
    })?;
    for purchase in &terms.purchases {
        check_purchase(purchase)?;
    }
    for fare in &terms.fares {
        check_fare(fare)?;
        hold(
            fare.purchase_nos
                .iter()
                .all(|no| numbers.contains(no.as_str())),
            || format!("fare {} carries an unknown purchase", fare.name),
        )?;
    }
    check_totals(terms)?;
    check_coupons(terms)
}

fn hold(holds: bool, complaint: impl FnOnce() -> String) -> Result<(), OrderError> {
    if holds {
        Ok(())
    } else {
        Err(OrderError::TermsDoNotAddUp(complaint()))
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
    hold(purchase.quantity > 0, || format!("{no}: no pieces"))?;
    hold(parts.iter().all(|part| !part.is_negative()), || {
        format!("{no}: a negative amount")
    })?;
    hold(purchase.goods()? == Amount::total(parts)?, || {
        format!("{no}: goods are not discounts plus paid")
    })
}

fn check_fare(fare: &FareTerms) -> Result<(), OrderError> {
    let parts = [fare.fare_coupon, fare.total_coupon, fare.points, fare.paid];
    let fees = [fare.fare, fare.island_fee, fare.service_fee];
    let name = &fare.name;
    hold(!fare.purchase_nos.is_empty(), || {
        format!("fare {name} carries nothing")
    })?;
    hold(
        parts.iter().chain(&fees).all(|part| !part.is_negative()),
        || format!("fare {name}: a negative amount"),
    )?;
    hold(fare.gross()? == Amount::total(parts)?, || {
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
        hold(stated == summed, || {
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
        hold(stated == summed, || {
            format!("{stage:?} coupons: {stated} stated, {summed} used")
        })?;
    }
    for used in &terms.coupons {
        hold(
            !used.seller_share.is_negative() && used.seller_share <= used.amount,
            || format!("coupon {}: the seller bears more than all of it", used.name),
        )?;
        hold(used.seller.is_some() || used.seller_share.is_zero(), || {
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
        hold(purchase.product_coupon == summed, || {
            format!(
                "{}: product coupons are {summed}, not {}",
                purchase.purchase_no, purchase.product_coupon
            )
        })?;
    }
    Ok(())
}

impl Order {
    /// What canceling these purchases gives back, seeing what is gone already (approved claims other than `claim`).
    ///
    /// A fare goes back with the last of its purchases, and never once one of them is confirmed: the parcel was sent. A
    /// coupon goes back when every purchase it touched is canceled. Points go back to their lots in the reverse order of use.
    pub(super) fn refund_terms(
        &self,
        claim: ClaimId,
        purchase_nos: &[String],
    ) -> Result<RefundTerms, OrderError> {
        let terms = self.terms()?;
        let earlier: Vec<&Claim> = self
            .claims
            .iter()
            .filter(|made| made.id != claim && made.is_granted())
            .collect();
        let gone_before: BTreeSet<&str> = earlier
            .iter()
            .flat_map(|made| &made.purchase_nos)
            .map(String::as_str)
            .collect();
        let leaving: BTreeSet<&str> = purchase_nos.iter().map(String::as_str).collect();
        let gone = |no: &String| gone_before.contains(no.as_str()) || leaving.contains(no.as_str());

        let mut money = Amount::ZERO;
        let mut points = Amount::ZERO;
        for purchase in terms
            .purchases
            .iter()
            .filter(|purchase| leaving.contains(purchase.purchase_no.as_str()))
        {
            money = money.plus(purchase.paid)?;
            points = points.plus(purchase.points)?;
        }
        for fare in terms.fares.iter().filter(|fare| {
            fare.purchase_nos.iter().all(gone)
                && fare
                    .purchase_nos
                    .iter()
                    .any(|no| leaving.contains(no.as_str()))
        }) {
            money = money.plus(fare.paid)?;
            points = points.plus(fare.points)?;
        }
        let coupons = terms
            .coupons
            .iter()
            .filter(|used| {
                let touched = touched_by(used, terms);
                touched.iter().all(|no| gone(no))
                    && touched.iter().any(|no| leaving.contains(no.as_str()))
            })
            .map(|used| used.issued)
            .collect();
        Ok(RefundTerms {
            money,
            points: back_into_lots(points, &terms.points, &earlier)?,
            coupons,
        })
    }
}

impl Claim {
    /// Whether what it covers is gone from the order.
    pub fn is_granted(&self) -> bool {
        matches!(
            self.state,
            ClaimState::Approved { .. } | ClaimState::Completed { .. }
        )
    }
}

/// The purchases a coupon took something off, or whose fare it did. A coupon that took nothing belongs to the whole order.
fn touched_by<'a>(used: &CouponUse, terms: &'a OrderTerms) -> BTreeSet<&'a String> {
    let of_seller = |seller| used.seller.is_none_or(|its| its == seller);
    let lines = terms.purchases.iter().filter(|line| match used.stage {
        Stage::Product => used.purchase_no.as_ref() == Some(&line.purchase_no),
        Stage::Fare => false,
        Stage::Total => !line.total_coupon.is_zero() && of_seller(line.seller),
    });
    let fares = terms.fares.iter().filter(|fare| match used.stage {
        Stage::Product => false,
        Stage::Fare => {
            !fare.fare_coupon.is_zero()
                && of_seller(fare.seller)
                && used
                    .purchase_no
                    .as_ref()
                    .is_none_or(|no| fare.purchase_nos.contains(no))
        }
        Stage::Total => !fare.total_coupon.is_zero() && of_seller(fare.seller),
    });
    let touched: BTreeSet<&String> = lines
        .map(|line| &line.purchase_no)
        .chain(fares.flat_map(|fare| &fare.purchase_nos))
        .collect();
    if touched.is_empty() {
        terms
            .purchases
            .iter()
            .map(|line| &line.purchase_no)
            .collect()
    } else {
        touched
    }
}

/// `amount` of points, into the lots they came from, last used first, leaving out what `earlier` claims gave back.
fn back_into_lots(
    amount: Amount,
    used: &[LotPart],
    earlier: &[&Claim],
) -> Result<Vec<LotPart>, OrderError> {
    let mut returned: BTreeMap<LotId, Amount> = BTreeMap::new();
    for part in earlier.iter().flat_map(|claim| &claim.refund.points) {
        let so_far = returned.entry(part.lot).or_default();
        *so_far = so_far.plus(part.amount)?;
    }
    let mut rest = amount;
    let mut parts = Vec::new();
    for part in used.iter().rev() {
        let open = part
            .amount
            .minus(returned.get(&part.lot).copied().unwrap_or_default())?;
        let back = open.min(rest);
        if back > Amount::ZERO {
            rest = rest.minus(back)?;
            parts.push(LotPart {
                lot: part.lot,
                amount: back,
            });
        }
    }
    Ok(parts)
}
