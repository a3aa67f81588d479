//! My coupon box.

pub mod choose;
pub mod draw;
pub mod list;
pub mod redeem;
