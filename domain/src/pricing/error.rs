//! Errors of pricing an order.

use crate::allocation::SplitError;
use crate::ids::IssuedCouponId;
use crate::money::{Amount, MoneyError};
use crate::pricing::coupon::CouponRefusal;

/// The rule violated, with the line or coupon it concerns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PricingError {
    /// The order has no lines.
    #[error("the order has no lines")]
    EmptyOrder,
    /// Two lines have the same purchase number.
    #[error("purchase {purchase_no} appears twice")]
    PurchaseTwice {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// The quantity of a line is zero.
    #[error("purchase {purchase_no} has quantity zero")]
    QuantityZero {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// The quantity of a line exceeds the maximum.
    #[error("purchase {purchase_no} exceeds the quantity {most}")]
    QuantityTooLarge {
        /// Number of the purchase.
        purchase_no: String,
        /// The maximum quantity.
        most: u32,
    },
    /// The product is sold by option, and none is selected.
    #[error("purchase {purchase_no} needs an option")]
    OptionRequired {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// The option does not exist or is not for sale, or the product has no options.
    #[error("purchase {purchase_no} names an option that cannot be bought")]
    OptionUnknown {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// The sum of list price and option price is negative.
    #[error("the price of purchase {purchase_no} is negative")]
    PriceNegative {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// The discount of the product or the level is invalid.
    #[error("a discount of purchase {purchase_no} is invalid")]
    DiscountInvalid {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// A fare depends on distance, and a coordinate is missing (spec V168).
    #[error("the distance of purchases {} is unknown", purchase_nos.join(", "))]
    DistanceUnknown {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
    },
    /// The fare table of the shipping option is incomplete or negative.
    #[error("the delivery fare of purchase {purchase_no} is not defined")]
    FareUndefined {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// An issued coupon is used twice.
    #[error("coupon {issued} is used twice")]
    CouponTwice {
        /// The coupon.
        issued: IssuedCouponId,
    },
    /// A coupon does not apply to the order.
    #[error("coupon {issued} does not apply: {why}")]
    CouponNotApplicable {
        /// The coupon.
        issued: IssuedCouponId,
        /// The reason.
        why: CouponRefusal,
    },
    /// The points are negative.
    #[error("points are negative")]
    PointsNegative,
    /// The points exceed the amount to pay.
    #[error("at most {most} of points can be used")]
    PointsExceed {
        /// The amount to pay.
        most: Amount,
    },
    /// The points are not a whole multiple of the shop's rounding step.
    #[error("points come in whole multiples of {step} hundredths")]
    PointsUneven {
        /// The rounding step, hundredths.
        step: i64,
    },
    /// An amount overflows.
    #[error("an amount overflows")]
    Overflow,
}

impl PricingError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyOrder => "empty_order",
            Self::PurchaseTwice { .. } => "purchase_twice",
            Self::QuantityZero { .. } => "quantity_zero",
            Self::QuantityTooLarge { .. } => "quantity_too_large",
            Self::OptionRequired { .. } => "option_required",
            Self::OptionUnknown { .. } => "option_unknown",
            Self::PriceNegative { .. } => "price_negative",
            Self::DiscountInvalid { .. } => "discount_invalid",
            Self::DistanceUnknown { .. } => "distance_unknown",
            Self::FareUndefined { .. } => "fare_undefined",
            Self::CouponTwice { .. } => "coupon_twice",
            Self::CouponNotApplicable { .. } => "coupon_not_applicable",
            Self::PointsNegative => "points_negative",
            Self::PointsExceed { .. } => "points_exceed",
            Self::PointsUneven { .. } => "points_uneven",
            Self::Overflow => "overflow",
        }
    }

    /// The purchase it concerns.
    pub fn purchase_no(&self) -> Option<&str> {
        match self {
            Self::PurchaseTwice { purchase_no }
            | Self::QuantityZero { purchase_no }
            | Self::QuantityTooLarge { purchase_no, .. }
            | Self::OptionRequired { purchase_no }
            | Self::OptionUnknown { purchase_no }
            | Self::PriceNegative { purchase_no }
            | Self::DiscountInvalid { purchase_no }
            | Self::FareUndefined { purchase_no } => Some(purchase_no),
            Self::DistanceUnknown { purchase_nos } => purchase_nos.first().map(String::as_str),
            Self::EmptyOrder
            | Self::CouponTwice { .. }
            | Self::CouponNotApplicable { .. }
            | Self::PointsNegative
            | Self::PointsExceed { .. }
            | Self::PointsUneven { .. }
            | Self::Overflow => None,
        }
    }

    /// The coupon it concerns.
    pub const fn issued(&self) -> Option<IssuedCouponId> {
        match self {
            Self::CouponTwice { issued } | Self::CouponNotApplicable { issued, .. } => {
                Some(*issued)
            }
            _ => None,
        }
    }

    /// The reason why a coupon does not apply.
    pub const fn why(&self) -> Option<CouponRefusal> {
        match self {
            Self::CouponNotApplicable { why, .. } => Some(*why),
            _ => None,
        }
    }
}

/// Amounts are checked to be non-negative before, so only overflows remain.
impl From<MoneyError> for PricingError {
    fn from(_: MoneyError) -> Self {
        Self::Overflow
    }
}

/// Discounts are capped by the amounts they are split over, so a split fails only by overflow.
impl From<SplitError> for PricingError {
    fn from(_: SplitError) -> Self {
        Self::Overflow
    }
}
