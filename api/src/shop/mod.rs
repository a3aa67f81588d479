//! What anybody sees and buys: the catalogue, the price of an order, placing it, and finding it again.

pub mod bests;
pub mod brands;
pub mod cards;
pub mod categories;
pub mod coupons;
pub mod displays;
pub mod inquires;
pub mod islands;
pub mod orders;
pub mod points;
pub mod products;
pub mod reviews;
pub mod search_terms;
pub mod setting;
pub mod shippings;
pub mod showrooms;
pub mod stores;
pub mod window;

use projections::ListPage;
use serde::Serialize;
use utoipa::ToSchema;

/// What stands above a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// All rows, not only this page's.
    pub total_count: i64,
}

impl Summary {
    /// Of a page of rows.
    pub fn of<T>(listed: &ListPage<T>) -> Self {
        Self {
            total_count: listed.total_count,
        }
    }

    /// Of rows that are all at hand.
    pub fn counting<T>(rows: &[T]) -> Self {
        Self {
            total_count: i64::try_from(rows.len()).unwrap_or(i64::MAX),
        }
    }
}
