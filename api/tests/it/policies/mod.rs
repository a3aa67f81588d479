//! What the shop does by itself.

mod deliveries;
mod guest_records;
mod orders;
mod points;
mod reactions;
