//! A member's points, in lots with individual expiry.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
