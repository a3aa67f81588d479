//! Orders: pricing, placing, finding and canceling them.

pub mod basket;
pub mod cancel;
pub mod cart_rows;
pub mod contacts;
pub mod detail;
pub mod form;
pub mod guests;
pub mod lookup;
pub mod place;
pub mod preview;
pub mod process;
pub mod refund_account;

/// Reservation scope of order numbers, owned by their order: makes them unique and immediately findable.
pub(crate) const ORDER_NO: &str = "order-no";
