//! Recently viewed products.

pub mod add;
pub mod clear;
pub mod list;
