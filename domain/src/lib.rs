//! The business rules of the shop, pure: aggregates, pricing, accounting, policies and validation.
//!
//! Nothing here reads a clock, draws a random number or does I/O; those come in as arguments ([`Context`], ids). An aggregate
//! decides events and evolves its state by applying them.

pub mod accounting;
pub mod address;
pub mod alarm;
pub mod allocation;
pub mod bulk_grant;
pub mod business_day;
pub mod catalogue;
pub mod center;
pub mod checkout;
mod codes;
pub mod coupon;
pub mod deadline;
pub mod distance;
pub mod event;
pub mod file;
pub mod forms;
pub mod holiday;
pub mod ids;
pub mod inquire;
pub mod member;
pub mod member_record;
pub mod message;
pub mod money;
pub mod month_day;
pub mod order;
pub mod payment;
pub mod personal;
pub mod points;
pub mod policies;
pub mod price_trace;
pub mod pricing;
pub mod raffle;
pub mod record;
pub mod registry;
pub mod review;
pub mod rounding;
pub mod schema;
pub mod sending;
pub mod shipping;
pub mod shown;
pub mod site;
pub mod stock;
pub mod storefront;
pub mod unit_of_work;
pub mod upcasting;
pub mod user_payment;
pub mod validation;

pub use event::{Actor, Context, Decider};
pub use money::Amount;
pub use personal::{Purpose, SealLabel, Sealed};
pub use registry::SCHEMA_FINGERPRINT;
