//! Orders: what they would cost, placing them, finding them again, giving them back.

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
pub mod streams;

/// Whose number it is: taken by the order that placed it, so that it is found at once and never given twice.
pub(crate) const ORDER_NO: &str = "order-no";
