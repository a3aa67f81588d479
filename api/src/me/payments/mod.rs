//! My payments.

pub mod list;
pub mod show;
