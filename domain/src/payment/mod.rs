//! Payments of an order, and their refunds.

mod aggregate;
mod events;
mod method;

pub use aggregate::*;
pub use events::*;
pub use method::PaymentMethod;
