//! Whether a coupon applies, and to what.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::catalogue::Discount;
use crate::coupon::CouponTerms;
use crate::ids::{MemberId, ProductId};
use crate::money::Amount;
use crate::pricing::discount::{DiscountError, discount_amount};
use crate::rounding::RoundingStep;

/// Why a coupon does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum CouponRefusal {
    /// Its terms make no sense (percent above 100, value or limit below zero).
    #[error("its terms are invalid")]
    TermsInvalid,
    /// Its period has not begun.
    #[error("it cannot be used yet")]
    NotStarted,
    /// Its period is over.
    #[error("it has expired")]
    Ended,
    /// One of the coupons stands alone, and there are others.
    #[error("it cannot be combined with other coupons")]
    NotCombinable,
    /// A product coupon, and no purchase was named.
    #[error("a purchase has to be named for it")]
    PurchaseRequired,
    /// The purchase named is not in this order.
    #[error("the purchase named for it is not in the order")]
    PurchaseUnknown,
    /// A coupon for the whole order, and a purchase was named.
    #[error("it is for the whole order, not for one purchase")]
    WholeOrderOnly,
    /// The goods are another seller's.
    #[error("it is for another seller's goods")]
    OtherSeller,
    /// The product is not among its products.
    #[error("it is for other products")]
    OtherProduct,
    /// None of the product's categories is among its categories.
    #[error("it is for other categories")]
    OtherCategory,
    /// The goods it is for cost less than its minimum.
    #[error("the goods cost less than its minimum")]
    BelowMinimum,
    /// The goods it is for cost more than its maximum.
    #[error("the goods cost more than its maximum")]
    AboveMaximum,
    /// The purchase has a product coupon already.
    #[error("the purchase has a coupon already")]
    PurchaseHasCoupon,
    /// The fare has a fare coupon already.
    #[error("the delivery fare has a coupon already")]
    FareHasCoupon,
    /// It would take nothing off: it stays in the box instead of being used up for nothing.
    #[error("it would take nothing off")]
    TakesNothing,
}

impl CouponRefusal {
    /// A stable name for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TermsInvalid => "terms_invalid",
            Self::NotStarted => "not_started",
            Self::Ended => "ended",
            Self::NotCombinable => "not_combinable",
            Self::PurchaseRequired => "purchase_required",
            Self::PurchaseUnknown => "purchase_unknown",
            Self::WholeOrderOnly => "whole_order_only",
            Self::OtherSeller => "other_seller",
            Self::OtherProduct => "other_product",
            Self::OtherCategory => "other_category",
            Self::BelowMinimum => "below_minimum",
            Self::AboveMaximum => "above_maximum",
            Self::PurchaseHasCoupon => "purchase_has_coupon",
            Self::FareHasCoupon => "fare_has_coupon",
            Self::TakesNothing => "takes_nothing",
        }
    }
}

/// What a coupon looks at in a line of an order, or in a product on its page.
#[derive(Clone, Copy, Debug)]
pub struct Goods<'a> {
    /// The product.
    pub product: ProductId,
    /// Who sells it.
    pub seller: MemberId,
    /// Its category codes with their ancestors.
    pub categories: &'a [String],
}

/// What the coupon takes off, as a discount.
pub const fn discount(terms: &CouponTerms) -> Discount {
    Discount {
        unit: terms.unit,
        value: terms.value,
        limit: terms.limit,
    }
}

/// What the coupon takes off `amount`: percent up to a step (spec V282), capped by its limit (V283) and by `amount` (V284).
///
/// # Errors
/// [`DiscountError`].
pub fn off(
    terms: &CouponTerms,
    amount: Amount,
    step: RoundingStep,
) -> Result<Amount, DiscountError> {
    discount_amount(&discount(terms), amount, step)
}

/// Whether the terms make sense at all.
///
/// # Errors
/// [`WhyNot::TermsInvalid`].
pub fn sound(terms: &CouponTerms) -> Result<(), CouponRefusal> {
    if terms.share > 100 {
        return Err(CouponRefusal::TermsInvalid);
    }
    off(terms, Amount::ZERO, RoundingStep::HUNDREDTH)
        .map(|_| ())
        .map_err(|_| CouponRefusal::TermsInvalid)
}

/// Whether it may be used now: from its start on, until just before its end.
///
/// # Errors
/// [`WhyNot::NotStarted`], [`WhyNot::Ended`].
pub fn in_period(terms: &CouponTerms, now: OffsetDateTime) -> Result<(), CouponRefusal> {
    if terms.starts_at.is_some_and(|starts| now < starts) {
        Err(CouponRefusal::NotStarted)
    } else if terms.ends_at.is_some_and(|ends| now >= ends) {
        Err(CouponRefusal::Ended)
    } else {
        Ok(())
    }
}

/// Whether it is for these goods: its seller's, one of its products, and in one of its categories, each where it names any.
///
/// # Errors
/// [`WhyNot::OtherSeller`], [`WhyNot::OtherProduct`], [`WhyNot::OtherCategory`].
pub fn is_for(terms: &CouponTerms, goods: Goods<'_>) -> Result<(), CouponRefusal> {
    if terms.seller.is_some_and(|seller| seller != goods.seller) {
        return Err(CouponRefusal::OtherSeller);
    }
    if !terms.products.is_empty() && !terms.products.contains(&goods.product) {
        return Err(CouponRefusal::OtherProduct);
    }
    let named = |category: &String| goods.categories.contains(category);
    if !terms.categories.is_empty() && !terms.categories.iter().any(named) {
        return Err(CouponRefusal::OtherCategory);
    }
    Ok(())
}

/// Whether goods costing `price` are within its bounds, both included. The price is after product and level discounts and
/// before any coupon, so that one coupon never pushes the goods below another's minimum.
///
/// # Errors
/// [`WhyNot::BelowMinimum`], [`WhyNot::AboveMaximum`].
pub fn price_fits(terms: &CouponTerms, price: Amount) -> Result<(), CouponRefusal> {
    if terms.price_min.is_some_and(|least| price < least) {
        Err(CouponRefusal::BelowMinimum)
    } else if terms.price_max.is_some_and(|most| price > most) {
        Err(CouponRefusal::AboveMaximum)
    } else {
        Ok(())
    }
}

/// The part of `amount` the seller bears: the share percent, rounded down to a step, so that the platform bears the rest and both
/// add up. Without a seller nobody but the platform can bear anything (spec V096).
///
/// # Errors
/// [`WhyNot::TermsInvalid`] for a share above 100.
pub fn seller_share(
    terms: &CouponTerms,
    amount: Amount,
    step: RoundingStep,
) -> Result<Amount, CouponRefusal> {
    if terms.seller.is_none() {
        return Ok(Amount::ZERO);
    }
    let platform = 100_u8
        .checked_sub(terms.share)
        .ok_or(CouponRefusal::TermsInvalid)?;
    // the seller's part down is the platform's part up
    step.percent_up(amount, platform)
        .and_then(|rest| amount.minus(rest))
        .map_err(|_| CouponRefusal::TermsInvalid)
}
