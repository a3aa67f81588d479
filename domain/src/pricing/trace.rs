//! Why a price is what it is: every number of a quote as the sum of what single rules made of it.
//!
//! Nothing here computes a price. The parts are the intermediate results of the calculation that made the quote, written down
//! where they came up, so an explanation cannot say anything else than the price.

use crate::money::Amount;
use crate::shipping::Area;

/// What one rule added to a number, or took from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The rule.
    pub rule: PriceRule,
    /// Hundredths; what it took is negative.
    pub amount: Amount,
}

impl TraceStep {
    /// What `rule` made.
    pub const fn new(rule: PriceRule, amount: Amount) -> Self {
        Self { rule, amount }
    }
}

/// The rules a price is made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceRule {
    /// The product's list price.
    Price {
        /// Of one piece.
        each: Amount,
        /// How many.
        pieces: u32,
    },
    /// What the option costs beside it.
    OptionPrice {
        /// Of one piece.
        each: Amount,
        /// How many.
        pieces: u32,
    },
    /// A percent, down to a step; what is missing to the next step comes as [`Rule::RoundedUp`].
    Percent {
        /// How many.
        percent: i64,
        /// Of what.
        of: Amount,
        /// How many times.
        pieces: u32,
    },
    /// An amount off.
    AmountOff {
        /// How much.
        value: Amount,
        /// How many times.
        pieces: u32,
    },
    /// Percents of a discount round up to a step.
    RoundedUp,
    /// A discount is capped by its limit.
    Limit {
        /// The limit.
        limit: Amount,
        /// How many times.
        pieces: u32,
    },
    /// A discount is capped by what is left.
    NoMoreThanIsLeft {
        /// What is left.
        left: Amount,
    },
    /// A share of something, by weight, down to a step.
    Share {
        /// Of how much.
        of: Amount,
        /// By this line's weight: what was left of it.
        weight: Amount,
        /// Among all of these.
        sum: Amount,
    },
    /// A step that no share had, given to the largest remainder.
    LargestRemainder,
    /// One amount whatever the goods.
    FixedFare,
    /// Collected at the door.
    PaidOnDelivery,
    /// By what the parcel's goods cost.
    FareByPrice {
        /// What they cost.
        goods: Amount,
        /// From what on this row counts.
        from: Amount,
    },
    /// By distance.
    FareByDistance {
        /// From how many kilometres on this row counts.
        from: u32,
    },
    /// Goods in one parcel cost the largest fare: this one is dearer than those before it.
    DearerInParcel {
        /// This one's fare.
        fare: Amount,
    },
    /// The surcharge of the receiver's address.
    Island {
        /// Where it is.
        area: Area,
    },
    /// The service fee.
    Service {
        /// Of one piece.
        each: Amount,
        /// How many.
        pieces: u32,
    },
    /// What the seller bears of a coupon, down to a step; the platform bears the rest.
    SellerBears {
        /// Percent.
        percent: u8,
        /// Of what the coupon took off.
        of: Amount,
    },
}

impl PriceRule {
    /// Its number in the specification, where it has one.
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

/// How every number of a quote came about. Each list of parts adds up to the number it is named after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceTrace {
    /// Of the purchases, in their order.
    pub lines: Vec<LineTrace>,
    /// Of the fares, in their order.
    pub fares: Vec<FareTrace>,
    /// Of the coupons, in their order.
    pub coupons: Vec<CouponTrace>,
}

/// How the numbers of a purchase came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTrace {
    /// Unit price times quantity.
    pub goods: Vec<TraceStep>,
    /// The product's discount.
    pub product_discount: Vec<TraceStep>,
    /// The level's discount.
    pub level_discount: Vec<TraceStep>,
    /// Its share of each coupon, in the order of the quote's coupons.
    pub coupons: Vec<Vec<TraceStep>>,
    /// Its share of the points.
    pub points: Vec<TraceStep>,
}

/// How the numbers of a fare came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FareTrace {
    /// The fare itself.
    pub fare: Vec<TraceStep>,
    /// The island surcharge.
    pub island_fee: Vec<TraceStep>,
    /// The service fee.
    pub service_fee: Vec<TraceStep>,
    /// Its share of each coupon, in the order of the quote's coupons.
    pub coupons: Vec<Vec<TraceStep>>,
    /// Its share of the points.
    pub points: Vec<TraceStep>,
}

/// How the numbers of a coupon came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CouponTrace {
    /// What it took off.
    pub amount: Vec<TraceStep>,
    /// What its seller bears of that.
    pub seller_share: Vec<TraceStep>,
}
