//! What a member has.

pub mod info;
pub mod orders;
pub mod payments;
pub mod points;
pub mod purchases;
