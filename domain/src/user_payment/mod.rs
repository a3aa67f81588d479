//! User payments: what a buyer is asked to pay besides an order. The fee of an exchange is the only purpose so far.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
