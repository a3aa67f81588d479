//! Products for sale.

pub mod list;
pub mod search;
pub mod show;

use projections::{categories, products, records, stock};

/// The read models that cards of products are made of.
const READS: [&str; 4] = [products::NAME, stock::NAME, records::NAME, categories::NAME];
