//! A member: who they are (sealed), what their token may do, and their membership level.

mod events;
mod ledger;

pub use events::*;
pub use ledger::*;
