//! Eligibility and discount of a coupon.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::catalogue::Discount;
use crate::coupon::CouponTerms;
use crate::ids::{MemberId, ProductId};
use crate::money::Amount;
use crate::pricing::discount::{DiscountError, discount_amount};
use crate::rounding::RoundingStep;

/// Reasons why a coupon does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum CouponRefusal {
    /// The terms are invalid (percent above 100, value or limit below zero).
    #[error("its terms are invalid")]
    TermsInvalid,
    /// Its period has not begun.
    #[error("it cannot be used yet")]
    NotStarted,
    /// Its period is over.
    #[error("it has expired")]
    Ended,
    /// One of the coupons is not combinable, and there are others.
    #[error("it cannot be combined with other coupons")]
    NotCombinable,
    /// A product coupon without a purchase.
    #[error("it needs a purchase")]
    PurchaseRequired,
    /// The named purchase is not in the order.
    #[error("its purchase is not in the order")]
    PurchaseUnknown,
    /// A coupon for the whole order with a purchase.
    #[error("it is for the whole order, not for one purchase")]
    WholeOrderOnly,
    /// The goods belong to another seller.
    #[error("it is for another seller's goods")]
    OtherSeller,
    /// The product is not among its products.
    #[error("it is for other products")]
    OtherProduct,
    /// None of the product's categories is among its categories.
    #[error("it is for other categories")]
    OtherCategory,
    /// The product is in none of its displays.
    #[error("it is for products of other displays")]
    OtherDisplay,
    /// The goods it applies to do not exist.
    #[error("the goods it is for do not exist")]
    ForNothing,
    /// The eligible goods cost less than its minimum.
    #[error("the goods cost less than its minimum")]
    BelowMinimum,
    /// The eligible goods cost more than its maximum.
    #[error("the goods cost more than its maximum")]
    AboveMaximum,
    /// The purchase has a product coupon already.
    #[error("the purchase has a coupon already")]
    PurchaseHasCoupon,
    /// The fare has a fare coupon already.
    #[error("the delivery fare has a coupon already")]
    FareHasCoupon,
    /// The discount would be zero; the coupon is not used up.
    #[error("it would take nothing off")]
    TakesNothing,
}

impl CouponRefusal {
    /// Stable code for the wire.
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
            Self::OtherDisplay => "other_display",
            Self::ForNothing => "for_nothing",
            Self::BelowMinimum => "below_minimum",
            Self::AboveMaximum => "above_maximum",
            Self::PurchaseHasCoupon => "purchase_has_coupon",
            Self::FareHasCoupon => "fare_has_coupon",
            Self::TakesNothing => "takes_nothing",
        }
    }
}

/// What a coupon's eligibility depends on: a line of an order, or a product on its page.
#[derive(Clone, Copy, Debug)]
pub struct Goods<'a> {
    /// The product.
    pub product: ProductId,
    /// The seller.
    pub seller: MemberId,
    /// Its category codes with their ancestors.
    pub categories: &'a [String],
    /// Codes of the displays, and ids of the exhibitions, it is in.
    pub displays: &'a [String],
}

/// The coupon's discount.
pub const fn discount(terms: &CouponTerms) -> Discount {
    Discount {
        unit: terms.unit,
        value: terms.value,
        limit: terms.limit,
    }
}

/// The coupon's discount on `amount`: percent rounded up to a step (spec V282), capped by its limit (V283) and by `amount` (V284).
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

/// Checks that the terms are valid.
///
/// # Errors
/// [`CouponRefusal::TermsInvalid`].
pub fn sound(terms: &CouponTerms) -> Result<(), CouponRefusal> {
    if terms.share > 100 {
        return Err(CouponRefusal::TermsInvalid);
    }
    off(terms, Amount::ZERO, RoundingStep::HUNDREDTH)
        .map(|_| ())
        .map_err(|_| CouponRefusal::TermsInvalid)
}

/// Checks that the coupon is valid at `now`: start inclusive, end exclusive.
///
/// # Errors
/// [`CouponRefusal::NotStarted`], [`CouponRefusal::Ended`].
pub fn in_period(terms: &CouponTerms, now: OffsetDateTime) -> Result<(), CouponRefusal> {
    if terms.starts_at.is_some_and(|starts| now < starts) {
        Err(CouponRefusal::NotStarted)
    } else if terms.ends_at.is_some_and(|ends| now >= ends) {
        Err(CouponRefusal::Ended)
    } else {
        Ok(())
    }
}

/// Checks that the goods are eligible: of its seller, its products, its categories and its displays, each where the coupon
/// restricts them.
///
/// # Errors
/// [`CouponRefusal::ForNothing`], [`CouponRefusal::OtherSeller`], [`CouponRefusal::OtherProduct`], [`CouponRefusal::OtherCategory`],
/// [`CouponRefusal::OtherDisplay`].
pub fn is_for(terms: &CouponTerms, goods: Goods<'_>) -> Result<(), CouponRefusal> {
    if terms.for_nothing {
        return Err(CouponRefusal::ForNothing);
    }
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
    let shown = |display: &String| goods.displays.contains(display);
    if !terms.displays.is_empty() && !terms.displays.iter().any(shown) {
        return Err(CouponRefusal::OtherDisplay);
    }
    Ok(())
}

/// Checks that goods costing `price` are within its bounds, both inclusive. The price is that of its
/// [`PriceBasis`](crate::coupon::PriceBasis), in any case before any coupon, so that one coupon never lowers the goods below another's minimum.
///
/// # Errors
/// [`CouponRefusal::BelowMinimum`], [`CouponRefusal::AboveMaximum`].
pub fn price_fits(terms: &CouponTerms, price: Amount) -> Result<(), CouponRefusal> {
    if terms.price_min.is_some_and(|least| price < least) {
        Err(CouponRefusal::BelowMinimum)
    } else if terms.price_max.is_some_and(|most| price > most) {
        Err(CouponRefusal::AboveMaximum)
    } else {
        Ok(())
    }
}

/// The seller's part of `amount`: the share percent, rounded down to a step; the platform bears the rest. Without a seller the
/// platform bears all of it (spec V096).
///
/// # Errors
/// [`CouponRefusal::TermsInvalid`] for a share above 100.
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
    // Rounding the seller's part down rounds the platform's part up.
    step.percent_up(amount, platform)
        .and_then(|rest| amount.minus(rest))
        .map_err(|_| CouponRefusal::TermsInvalid)
}
