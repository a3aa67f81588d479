//! A member's points, in lots with individual expiry.

mod aggregate;
mod events;
mod granting;
mod liability;
mod lifetime;
mod qualifying;

pub use aggregate::*;
pub use events::*;
pub use granting::*;
pub use liability::*;
pub use lifetime::*;
pub use qualifying::*;
