//! Endpoints of the order form, and of guests' orders.

pub mod detail;
pub mod exchange_choices;
pub mod lookup;
pub mod place;
pub mod preview;
pub mod process;
pub mod refund_account;
