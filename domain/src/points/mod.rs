//! A member's points, in lots that each expire on their own day.

mod events;
mod ledger;

pub use events::*;
pub use ledger::*;
