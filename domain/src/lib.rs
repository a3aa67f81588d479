//! The rules of the shop, pure: aggregates, pricing, the books, policies and validation.
//!
//! Nothing here reads a clock, draws a random number or does I/O; those come in as arguments
//! ([`Context`], ids). What an aggregate decided is a list of events; what it knows is the fold of them.

pub mod address;
pub mod books;
pub mod catalogue;
pub mod coupon;
pub mod deadline;
pub mod distance;
pub mod event;
pub mod file;
pub mod forms;
pub mod front;
pub mod ids;
pub mod inquire;
pub mod member;
pub mod money;
pub mod order;
pub mod payment;
pub mod personal;
pub mod placing;
pub mod points;
pub mod pricing;
pub mod record;
pub mod refold;
pub mod review;
pub mod rounding;
pub mod seoul;
pub mod shipping;
pub mod shown;
pub mod site;
pub mod split;
pub mod stock;
pub mod upcasting;
pub mod validation;

pub use event::{Actor, Context, Ledger};
pub use money::Amount;
pub use personal::{Purpose, SealLabel, Sealed};
pub use refold::RULES;
