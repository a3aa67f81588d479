//! Prices of whole orders: scenarios written by hand, and properties of any order.

#[expect(clippy::unwrap_used, reason = "tests")]
mod basket;
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod properties;
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod scenarios;
