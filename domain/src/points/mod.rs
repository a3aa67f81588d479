//! A member's points, in lots that each expire on their own day.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
