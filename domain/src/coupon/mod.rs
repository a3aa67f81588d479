//! Coupons: the definition staff edit, the campaign that counts a limited one, and each coupon in somebody's box.

mod campaign;
mod definition;
mod events;
mod issued;

pub use campaign::*;
pub use definition::*;
pub use events::*;
pub use issued::*;
