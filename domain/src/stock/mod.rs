//! One pile of goods: how many pieces no order has taken yet.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
