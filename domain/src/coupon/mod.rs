//! Coupons: the definition edited by staff, the campaign that counts a limited one, the coupons issued to members, and
//! the codes for which they are issued.

mod campaign;
mod code;
mod code_batch;
mod days;
mod definition;
mod draw;
mod events;
mod issued;
mod rules;
mod sentence;

pub use campaign::*;
pub use code::*;
pub use code_batch::*;
pub use days::*;
pub use definition::*;
pub use draw::*;
pub use events::*;
pub use issued::*;
pub use rules::COUNT_MOST;
pub use sentence::CouponNames;
