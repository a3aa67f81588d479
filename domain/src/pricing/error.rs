//! Why an order could not be priced.

use crate::allocation::SplitError;
use crate::ids::IssuedCouponId;
use crate::money::{Amount, MoneyError};
use crate::pricing::coupon::CouponRefusal;

/// The rule that refused to price an order, and the line or coupon it concerns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PricingError {
    /// Nothing was chosen.
    #[error("the order has no lines")]
    EmptyOrder,
    /// Two lines carry one number.
    #[error("purchase {purchase_no} appears twice")]
    PurchaseTwice {
        /// The line.
        purchase_no: String,
    },
    /// A line of no pieces.
    #[error("purchase {purchase_no} has no pieces")]
    QuantityZero {
        /// The line.
        purchase_no: String,
    },
    /// More pieces than one line may hold.
    #[error("purchase {purchase_no} has more than {most} pieces")]
    QuantityTooLarge {
        /// The line.
        purchase_no: String,
        /// The most there may be.
        most: u32,
    },
    /// The product is sold by option, and none was chosen.
    #[error("purchase {purchase_no} needs an option")]
    OptionRequired {
        /// The line.
        purchase_no: String,
    },
    /// The option does not exist, cannot be bought, or the product has none.
    #[error("purchase {purchase_no} names an option that cannot be bought")]
    OptionUnknown {
        /// The line.
        purchase_no: String,
    },
    /// List price plus option price is below zero.
    #[error("the price of purchase {purchase_no} is negative")]
    PriceNegative {
        /// The line.
        purchase_no: String,
    },
    /// The product's or the level's discount is not 0-100 percent or an amount of zero or more.
    #[error("a discount of purchase {purchase_no} is invalid")]
    DiscountInvalid {
        /// The line.
        purchase_no: String,
    },
    /// Fares go by distance, and a coordinate is missing (spec V168).
    #[error("the distance of purchases {} is unknown", purchase_nos.join(", "))]
    DistanceUnknown {
        /// Every such line.
        purchase_nos: Vec<String>,
    },
    /// The shipping option's fares are incomplete or negative.
    #[error("the delivery fare of purchase {purchase_no} is not defined")]
    FareUndefined {
        /// The line.
        purchase_no: String,
    },
    /// One issued coupon was given twice.
    #[error("coupon {issued} was given twice")]
    CouponTwice {
        /// The coupon.
        issued: IssuedCouponId,
    },
    /// A coupon does not fit this order.
    #[error("coupon {issued} does not apply: {why}")]
    CouponNotApplicable {
        /// The coupon.
        issued: IssuedCouponId,
        /// Why.
        why: CouponRefusal,
    },
    /// Points below zero.
    #[error("points are negative")]
    PointsNegative,
    /// More points than there is to pay.
    #[error("at most {most} of points can be used")]
    PointsExceed {
        /// What is left to pay.
        most: Amount,
    },
    /// Points that are no whole number of the shop's rounding steps.
    #[error("points come in whole multiples of {step} hundredths")]
    PointsUneven {
        /// The step, hundredths.
        step: i64,
    },
    /// An amount does not fit.
    #[error("an amount overflows")]
    Overflow,
}

impl PricingError {
    /// A stable name for programs.
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

    /// The line it concerns.
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

    /// Why a coupon does not apply.
    pub const fn why(&self) -> Option<CouponRefusal> {
        match self {
            Self::CouponNotApplicable { why, .. } => Some(*why),
            _ => None,
        }
    }
}

/// Amounts in here are checked to be zero or more first; what is left to go wrong is size.
impl From<MoneyError> for PricingError {
    fn from(_: MoneyError) -> Self {
        Self::Overflow
    }
}

/// Discounts are capped by what they are split over, so a split only fails by size.
impl From<SplitError> for PricingError {
    fn from(_: SplitError) -> Self {
        Self::Overflow
    }
}
