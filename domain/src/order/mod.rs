//! Orders: their purchases (one per product option and seller), the status of each, and the claims on them.
//!
//! All of it is one stream. Sellers see their own purchases; people identify an order by its [`number`].

mod actions;
mod aggregate;
pub mod amount_breakdown;
mod cancel_reason;
mod claims;
mod commands;
mod difference;
mod dispatch;
mod earned_points;
mod error;
mod events;
mod evolve;
mod exchange;
mod fares;
mod fee;
pub mod number;
mod purchase;
mod receiver;
mod refund;
mod refund_due;
mod split;
mod status;
mod status_text;
mod terms;

pub use actions::*;
pub use aggregate::*;
pub use cancel_reason::*;
pub use claims::*;
pub use commands::*;
pub use difference::*;
pub use dispatch::*;
pub use earned_points::*;
pub use error::*;
pub use events::*;
pub use exchange::*;
pub use purchase::*;
pub use refund::*;
pub use refund_due::*;
pub use split::PURCHASES_MOST;
pub use status::*;
pub use status_text::*;
pub use terms::*;
