//! The member's payments.

pub mod list;
pub mod show;
