//! One pile of goods: how many pieces no order has taken yet.

mod events;
mod ledger;

pub use events::*;
pub use ledger::*;
