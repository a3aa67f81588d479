//! Payments of an order, and their refunds.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
