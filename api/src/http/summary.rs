//! The summary of a list.

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
