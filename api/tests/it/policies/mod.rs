//! What the shop does by itself.

mod coupons;
mod deliveries;
mod guest_records;
mod orders;
mod points;
mod reactions;
