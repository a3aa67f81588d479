//! `/api/v1/shop/orders`.

mod guests;
mod placing;
pub mod races;
