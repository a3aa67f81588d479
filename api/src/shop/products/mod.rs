//! What is for sale.

pub mod list;
pub mod show;
