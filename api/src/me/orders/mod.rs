//! My orders.

pub mod cancel;
pub mod confirm;
pub mod list;
pub mod refund_account;
pub mod show;
