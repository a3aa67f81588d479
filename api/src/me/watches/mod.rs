//! Products I looked at lately.

pub mod add;
pub mod clear;
pub mod list;
