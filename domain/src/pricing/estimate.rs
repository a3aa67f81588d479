//! What a coupon would have taken off an order that was placed, at most.

use crate::coupon::{CouponTerms, PriceBasis, Stage};
use crate::money::{Amount, MoneyError};
use crate::order::{FareTerms, OrderTerms, PurchaseTerms};
use crate::pricing::coupon::{Goods, is_for, off, price_fits, seller_share};
use crate::rounding::RoundingStep;

/// A line of an order and what a coupon's eligibility depends on beside it.
#[derive(Clone, Copy, Debug)]
pub struct EstimateLine<'a> {
    /// The line as it was placed.
    pub line: &'a PurchaseTerms,
    /// The category codes of its product with their ancestors.
    pub categories: &'a [String],
    /// Codes of the displays, and ids of the exhibitions, its product is in.
    pub displays: &'a [String],
}

/// The discount of a coupon and the part of it that the seller bears.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscountEstimate {
    /// What it takes off, hundredths.
    pub discount: Amount,
    /// Of it, the seller's part, hundredths.
    pub seller: Amount,
}

/// What one coupon of these terms takes off an order at most: of its lines and fares as they were priced before coupons, once an order,
/// whatever other coupons were used and whenever it was. Nothing where it does not apply.
///
/// # Errors
/// An amount overflows.
pub fn estimated_discount(
    terms: &CouponTerms,
    order: &OrderTerms,
    lines: &[EstimateLine<'_>],
    step: RoundingStep,
) -> Result<DiscountEstimate, MoneyError> {
    let mut eligible = Vec::new();
    for one in lines {
        let goods = Goods {
            product: one.line.product,
            seller: one.line.seller,
            categories: one.categories,
            displays: one.displays,
        };
        if is_for(terms, goods).is_ok() {
            eligible.push(one.line);
        }
    }
    let list = |line: &PurchaseTerms| line.unit_price.times(line.quantity);
    let sale = |line: &PurchaseTerms| {
        let list = list(line)?;
        list.minus(line.product_discount)?
            .minus(line.level_discount)
    };
    let mut sums: Vec<(Amount, Amount)> = Vec::new();
    for line in &eligible {
        let basis = match terms.price_basis {
            PriceBasis::Sale => sale(line)?,
            PriceBasis::List => list(line)?,
        };
        sums.push((basis, sale(line)?));
    }
    let total = |part: fn(&(Amount, Amount)) -> Amount| Amount::total(sums.iter().map(part));
    let (basis, base) = (total(|sum| sum.0)?, total(|sum| sum.1)?);
    let its = |fare: &&FareTerms| {
        let lines = eligible.iter();
        let mut numbers = lines.map(|line| &line.purchase_no);
        numbers.any(|number| fare.purchase_nos.contains(number))
    };
    let whole = |fare: &FareTerms| fare.fare.plus(fare.island_fee)?.plus(fare.service_fee);
    let fares = order.fares.iter().filter(its).map(whole);
    let fares = fares.collect::<Result<Vec<Amount>, MoneyError>>()?;
    // what it is compared with, and what it takes off of
    let tried: Vec<(Amount, Amount)> = match terms.stage {
        Stage::Product => sums,
        Stage::Fare => fares.into_iter().map(|fare| (basis, fare)).collect(),
        Stage::Total if eligible.is_empty() => Vec::new(),
        Stage::Total => vec![(basis, base.plus(Amount::total(fares)?)?)],
    };
    let discounts = tried.into_iter().filter_map(|(compared, of)| {
        price_fits(terms, compared).ok()?;
        off(terms, of, step).ok()
    });
    let discount = discounts.max().unwrap_or_default();
    let seller = seller_share(terms, discount, step).unwrap_or_default();
    Ok(DiscountEstimate { discount, seller })
}
