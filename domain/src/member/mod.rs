//! Members: sealed personal data, scopes and membership level.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
