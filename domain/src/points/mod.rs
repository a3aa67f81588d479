//! A member's points, in lots with individual expiry.

mod aggregate;
mod events;
mod granting;

pub use aggregate::*;
pub use events::*;
pub use granting::*;
