//! PLACEHOLDER

mod events;

pub use events::*;
