//! The read models of the shop: disposable tables derived from the log.
//!
//! One module a read model: `create.sql` its tables, `mod.rs` how events change them, `queries.rs` how they are read.
//! [`all`] lists them for the runner; each module's `NAME` is what a reader waits for. [`state`] holds what has no history
//! (plain tables),
//! [`verify`] proves that every read model equals a fold of the log.

use std::sync::Arc;

use event_store::Projection;

pub mod bulk_grants;
pub mod categories;
mod counts;
pub mod coupon_codes;
pub mod deadlines;
mod error;
mod event_decode;
pub mod inquires;
mod macros;
pub mod mask;
pub mod member_coupons;
pub mod members;
pub mod messages;
mod ngrams;
pub mod order_timeline;
pub mod orders;
mod page;
pub mod points_statement;
pub mod products;
pub mod raffles;
pub mod record_elements;
mod record_event;
pub mod record_lists;
pub mod records;
pub mod refunds;
pub mod reporting_views;
pub mod reviews;
mod row_store;
pub mod search_documents;
mod seller;
pub mod sendings;
pub mod slug_redirects;
pub mod state;
pub mod stock;
mod timestamp;
pub mod user_payments;
pub mod verify;
pub mod waiting;

pub use error::ReadError;
pub use page::{ListPage, Page};
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
        Arc::new(member_coupons::CouponBox),
        Arc::new(points_statement::PointsBook),
        Arc::new(bulk_grants::BulkGrants),
        Arc::new(coupon_codes::CouponCodes),
        Arc::new(raffles::Raffles),
        Arc::new(messages::Messages),
        Arc::new(sendings::Sendings),
        Arc::new(user_payments::UserPayments),
        Arc::new(search_documents::SearchDocuments),
        Arc::new(deadlines::Deadlines),
        Arc::new(refunds::Refunds),
        Arc::new(reviews::Reviews),
        Arc::new(inquires::Inquires),
        Arc::new(slug_redirects::EarlierCodes),
    ]
}

/// Names of all read models.
pub const NAMES: [&str; 21] = [
    members::NAME,
    records::NAME,
    products::NAME,
    categories::NAME,
    stock::NAME,
    orders::NAME,
    order_timeline::NAME,
    member_coupons::NAME,
    points_statement::NAME,
    bulk_grants::NAME,
    coupon_codes::NAME,
    raffles::NAME,
    messages::NAME,
    sendings::NAME,
    user_payments::NAME,
    search_documents::NAME,
    deadlines::NAME,
    refunds::NAME,
    reviews::NAME,
    inquires::NAME,
    slug_redirects::NAME,
];
