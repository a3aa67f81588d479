//! My purchases: the lines of my orders.

pub mod cancel;
pub mod list;
pub mod show;
