//! One attempt to pay an order, and the refunds of it.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
