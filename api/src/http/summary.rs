//! The summary of a list.

use projections::ListPage;
use serde::Serialize;
use utoipa::ToSchema;

/// Summary of a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Number of all rows, not only of this page.
    pub total_count: i64,
}

impl Summary {
    /// The summary of a page of rows.
    pub fn of<T>(listed: &ListPage<T>) -> Self {
        Self {
            total_count: listed.total_count,
        }
    }

    /// The summary of rows that are all in memory.
    pub fn counting<T>(rows: &[T]) -> Self {
        Self {
            total_count: i64::try_from(rows.len()).unwrap_or(i64::MAX),
        }
    }
}
