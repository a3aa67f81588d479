//! Payments of an order, and their refunds.

mod aggregate;
mod commands;
mod events;
mod evolve;
mod method;

pub use aggregate::*;
pub use commands::*;
pub use events::*;
pub use method::PaymentMethod;
