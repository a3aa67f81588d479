//! What the shop does by itself.

mod guest_records;
mod orders;
mod reactions;
