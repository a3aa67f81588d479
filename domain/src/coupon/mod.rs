//! Coupons: the definition edited by staff, the campaign that counts a limited one, and the coupons issued to members.

mod campaign;
mod days;
mod definition;
mod draw;
mod events;
mod issued;
mod rules;
mod sentence;

pub use campaign::*;
pub use days::*;
pub use definition::*;
pub use draw::*;
pub use events::*;
pub use issued::*;
pub use rules::COUNT_MOST;
pub use sentence::CouponNames;
