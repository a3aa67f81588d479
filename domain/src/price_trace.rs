//! Trace of a price calculation: every amount of a quote as the sum of the contributions of single rules.
//!
//! Nothing here computes a price. The parts are intermediate results recorded by the calculation of the quote, so an explanation
//! cannot differ from the price.

use crate::money::Amount;
use crate::shipping::Area;

/// Contribution of one rule to an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The rule.
    pub rule: PriceRule,
    /// Hundredths; negative for deductions.
    pub amount: Amount,
}

impl TraceStep {
    /// A contribution of `rule`.
    pub const fn new(rule: PriceRule, amount: Amount) -> Self {
        Self { rule, amount }
    }
}

/// The rules of pricing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceRule {
    /// The product's list price.
    Price {
        /// Price per unit.
        each: Amount,
        /// Quantity.
        pieces: u32,
    },
    /// The option's surcharge.
    OptionPrice {
        /// Surcharge per unit.
        each: Amount,
        /// Quantity.
        pieces: u32,
    },
    /// A percent, rounded down to a step; the rest up to the next step follows as [`PriceRule::RoundedUp`].
    Percent {
        /// The percentage.
        percent: i64,
        /// The base amount.
        of: Amount,
        /// Multiplier (quantity).
        pieces: u32,
    },
    /// A fixed discount.
    AmountOff {
        /// The discount per unit.
        value: Amount,
        /// Multiplier (quantity).
        pieces: u32,
    },
    /// Rounding of percent discounts up to a step.
    RoundedUp,
    /// Cap of a discount by its limit.
    Limit {
        /// The limit.
        limit: Amount,
        /// Multiplier (quantity).
        pieces: u32,
    },
    /// Cap of a discount by the remainder.
    NoMoreThanIsLeft {
        /// The remainder.
        left: Amount,
    },
    /// A proportional share, rounded down to a step.
    Share {
        /// The amount shared.
        of: Amount,
        /// Weight of this line: its remainder.
        weight: Amount,
        /// Sum of all weights.
        sum: Amount,
    },
    /// A remaining step, assigned by largest remainder.
    LargestRemainder,
    /// Fixed fare.
    FixedFare,
    /// Collected on delivery.
    PaidOnDelivery,
    /// Fare by the price of the parcel's goods.
    FareByPrice {
        /// Price of the goods.
        goods: Amount,
        /// Threshold of the row.
        from: Amount,
    },
    /// Fare by distance.
    FareByDistance {
        /// Threshold of the row, kilometres.
        from: u32,
    },
    /// Goods in one parcel pay the largest fare: the excess of this one over the previous ones.
    DearerInParcel {
        /// Fare of these goods.
        fare: Amount,
    },
    /// Island surcharge of the receiver's address.
    Island {
        /// The surcharge area.
        area: Area,
    },
    /// The service fee.
    Service {
        /// Fee per unit.
        each: Amount,
        /// Quantity.
        pieces: u32,
    },
    /// The seller's part of a coupon, rounded down to a step; the platform bears the rest.
    SellerBears {
        /// Share in percent.
        percent: u8,
        /// The coupon's discount.
        of: Amount,
    },
}

impl PriceRule {
    /// Id of the rule in the specification, if any.
    pub const fn spec(&self) -> Option<&'static str> {
        Some(match self {
            Self::RoundedUp => "V282",
            Self::Limit { .. } => "V283",
            Self::NoMoreThanIsLeft { .. } => "V284",
            Self::FixedFare => "V286",
            Self::FareByPrice { .. } => "V287",
            Self::FareByDistance { .. } => "V288",
            Self::DearerInParcel { .. } => "V289",
            Self::Island { area: Area::Jeju } => "V292",
            Self::Island { .. } => "V291",
            Self::Service { .. } => "V293",
            Self::SellerBears { .. } => "V096",
            Self::Price { .. }
            | Self::OptionPrice { .. }
            | Self::Percent { .. }
            | Self::AmountOff { .. }
            | Self::Share { .. }
            | Self::LargestRemainder
            | Self::PaidOnDelivery => return None,
        })
    }
}

/// Contributions to every amount of a quote. Each list sums to the amount it is named after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceTrace {
    /// Traces of the purchases, in order.
    pub lines: Vec<LineTrace>,
    /// Traces of the fares, in order.
    pub fares: Vec<FareTrace>,
    /// Traces of the coupons, in order.
    pub coupons: Vec<CouponTrace>,
}

/// Contributions to the amounts of a purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTrace {
    /// Unit price times quantity.
    pub goods: Vec<TraceStep>,
    /// The product's discount.
    pub product_discount: Vec<TraceStep>,
    /// The level's discount.
    pub level_discount: Vec<TraceStep>,
    /// Shares of the coupons, in the order of the quote's coupons.
    pub coupons: Vec<Vec<TraceStep>>,
    /// Share of the points.
    pub points: Vec<TraceStep>,
}

/// Contributions to the amounts of a fare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FareTrace {
    /// The fare without fees.
    pub fare: Vec<TraceStep>,
    /// The island surcharge.
    pub island_fee: Vec<TraceStep>,
    /// The service fee.
    pub service_fee: Vec<TraceStep>,
    /// Shares of the coupons, in the order of the quote's coupons.
    pub coupons: Vec<Vec<TraceStep>>,
    /// Share of the points.
    pub points: Vec<TraceStep>,
}

/// Contributions to the amounts of a coupon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CouponTrace {
    /// The discount.
    pub amount: Vec<TraceStep>,
    /// The seller's part of the discount.
    pub seller_share: Vec<TraceStep>,
}
