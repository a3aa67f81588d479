//! User payments: amounts requested from a buyer in addition to an order. The fee of an exchange is the only purpose so far.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
