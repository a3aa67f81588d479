//! A member: who they are (sealed), what their token may do, and their membership level.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
