//! Messages to members and guests: one stream each, from the request to the answer of the server that took it.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
