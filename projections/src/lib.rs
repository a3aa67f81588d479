//! The read models of the shop: what people read, derived from the log and disposable.
//!
//! One module a read model: `create.sql` its tables, `mod.rs` how events change them, `queries.rs` how they are read.
//! [`all`] lists them for the runner; each module's `NAME` is what a reader waits for. `state` holds what has no history
//! (plain tables), `verify` proves that every read model equals a fold of the log.

pub mod categories;
pub mod coupon_box;
mod error;
mod instant;
mod macros;
pub mod members;
pub mod orders;
mod page;
mod pieces;
pub mod points_book;
mod record_event;
mod recorded;
pub mod records;
mod seller;
pub mod stock;
mod table;

pub use error::ReadError;
pub use page::{Listed, Page};
pub use seller::SellerRef;

pub mod deadlines;
pub mod order_timeline;
pub mod state;

use std::sync::Arc;

use event_store::Projection;

/// All read models, for the runner.
pub fn all() -> Vec<Arc<dyn Projection>> {
    vec![
        Arc::new(categories::Categories),
        Arc::new(coupon_box::CouponBox),
        Arc::new(deadlines::Deadlines),
        Arc::new(members::Members),
        Arc::new(order_timeline::OrderTimeline),
        Arc::new(orders::Orders),
        Arc::new(points_book::PointsBook),
        Arc::new(records::Records),
        Arc::new(stock::Stock),
    ]
}
