//! User payments: amounts requested from a buyer in addition to an order. What an exchange costs is the only purpose so far.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
