//! What each kind of record says about itself, by what it is about.

pub mod catalogue;
pub mod coupons;
pub mod delivery;
pub mod ledgers;
pub mod site;

use super::describe::{Choice, choice};

/// How a discount or a coupon's value is meant.
pub const UNITS: &[Choice] = &[choice("AMOUNT", "정액"), choice("PERCENT", "정률")];
