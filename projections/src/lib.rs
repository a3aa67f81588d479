//! The read models of the shop: what people read, derived from the log and disposable.
//!
//! One module a read model: `create.sql` its tables, `mod.rs` how events change them, `queries.rs` how they are read.
//! [`all`] lists them for the runner; each module's `NAME` is what a reader waits for. [`state`] holds what has no history
//! (plain tables),
//! [`verify`] proves that every read model equals a fold of the log.

use std::sync::Arc;

use event_store::Projection;

pub mod analyst;
pub mod categories;
mod copy;
mod counts;
pub mod coupon_box;
pub mod deadlines;
pub mod earlier_codes;
mod error;
pub mod inquires;
mod instant;
mod macros;
pub mod members;
pub mod order_timeline;
pub mod orders;
mod page;
mod pieces;
pub mod points_book;
pub mod products;
mod record_event;
mod recorded;
pub mod records;
pub mod reviews;
pub mod search_documents;
mod seller;
pub mod state;
pub mod stock;
mod table;
pub mod verify;

pub use error::ReadError;
pub use page::{Listed, Page};
pub use seller::SellerRef;

/// Every read model, for [`event_store::Runner`].
pub fn all() -> Vec<Arc<dyn Projection>> {
    vec![
        Arc::new(members::Members),
        Arc::new(records::Records),
        Arc::new(products::Products),
        Arc::new(categories::Categories),
        Arc::new(stock::Stock),
        Arc::new(orders::Orders),
        Arc::new(order_timeline::OrderTimeline),
        Arc::new(coupon_box::CouponBox),
        Arc::new(points_book::PointsBook),
        Arc::new(search_documents::SearchDocuments),
        Arc::new(deadlines::Deadlines),
        Arc::new(reviews::Reviews),
        Arc::new(inquires::Inquires),
        Arc::new(earlier_codes::EarlierCodes),
    ]
}

/// Their names.
pub const NAMES: [&str; 14] = [
    members::NAME,
    records::NAME,
    products::NAME,
    categories::NAME,
    stock::NAME,
    orders::NAME,
    order_timeline::NAME,
    coupon_box::NAME,
    points_book::NAME,
    search_documents::NAME,
    deadlines::NAME,
    reviews::NAME,
    inquires::NAME,
    earlier_codes::NAME,
];
