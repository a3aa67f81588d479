//! Files people give the shop.

mod giving;
mod replacing;
