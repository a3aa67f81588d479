//! PLACEHOLDER

mod events;
mod status;

pub use events::*;
pub use status::*;
