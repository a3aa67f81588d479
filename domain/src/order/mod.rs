//! An order: its purchases (one per product option and seller), how far each is on its way, and the claims on them.
//!
//! One stream holds all of it. Sellers see their slice; people know an order by its [`number`].

mod actions;
mod events;
pub mod explain;
mod ledger;
pub mod number;
mod reason;
mod refund;
mod status;
mod status_text;
mod terms;

pub use actions::*;
pub use events::*;
pub use ledger::*;
pub use reason::*;
pub use refund::*;
pub(crate) use status::codes;
pub use status::*;
pub use status_text::*;
