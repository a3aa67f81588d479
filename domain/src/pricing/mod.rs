//! Pricing of orders: discounts, coupons, fares, points and tax, as one pure function of the request ([`quote`]).
//!
//! Order of application: list and option price, product discount, level discount, product coupons, fare coupons, total coupons,
//! points (spec V285). Percents round up to a step (spec V282), every discount is capped by its limit and by the remainder (spec
//! V283, V284), shares are split by largest remainder.

pub mod coupon;
pub mod discount;
pub mod discount_allocation;
mod error;
mod estimate;
pub mod fare;
mod quote;
mod shipments;
pub mod tax;

pub use error::PricingError;
pub use estimate::{DiscountEstimate, EstimateLine, estimated_discount};
pub use quote::{
    BeforeCoupons, BestCoupons, CouponToUse, CouponTrial, Line, QUANTITY_MAX, Quote, Request,
    explained, quote,
};
