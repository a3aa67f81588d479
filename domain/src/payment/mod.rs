//! One attempt to pay an order, and the refunds of it.

mod events;
mod ledger;

pub use events::*;
pub use ledger::*;
