//! An order: its purchases (one per product option and seller), how far each is on its way, and the claims on them.
//!
//! One stream holds all of it. Sellers see their slice; people know an order by its [`number`].

mod actions;
mod aggregate;
pub mod amount_breakdown;
mod cancel_reason;
mod events;
pub mod number;
mod refund;
mod status;
mod status_text;
mod terms;

pub use actions::*;
pub use aggregate::*;
pub use cancel_reason::*;
pub use events::*;
pub use refund::*;
pub(crate) use status::codes;
pub use status::*;
pub use status_text::*;
