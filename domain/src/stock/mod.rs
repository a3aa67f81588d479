//! Stock of one product or option: the pieces available to orders.

mod aggregate;
mod events;

pub use aggregate::*;
pub use events::*;
