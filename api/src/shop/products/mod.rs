//! Products for sale.

pub mod list;
pub mod search;
pub mod show;
