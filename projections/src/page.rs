//! Lists: a page of rows and the total count.

use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::{PgPool, Postgres, QueryBuilder};

use crate::error::ReadError;

/// Which page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Rows to skip.
    pub skip: i64,
    /// Maximum number of rows, 1 to 100.
    pub limit: i64,
}

impl Page {
    /// Maximum number of rows in one response.
    pub const MAX: i64 = 100;
    /// Default number of rows.
    pub const DEFAULT: i64 = 20;

    /// A page clamped to the allowed range.
    pub fn new(skip: Option<i64>, limit: Option<i64>) -> Self {
        Self {
            skip: skip.unwrap_or(0).max(0),
            limit: limit.unwrap_or(Self::DEFAULT).clamp(1, Self::MAX),
        }
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::new(None, None)
    }
}

/// A page of rows with the count of all rows that match the filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage<T> {
    /// All rows, not only this page's.
    pub total_count: i64,
    /// This page's rows.
    pub rows: Vec<T>,
}

impl<T> ListPage<T> {
    /// Maps every row, or returns the first error.
    pub(crate) fn try_map<U>(
        self,
        change: impl FnMut(T) -> Result<U, ReadError>,
    ) -> Result<ListPage<U>, ReadError> {
        Ok(ListPage {
            total_count: self.total_count,
            rows: self
                .rows
                .into_iter()
                .map(change)
                .collect::<Result<_, _>>()?,
        })
    }

    /// Maps every row.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ListPage<U> {
        ListPage {
            total_count: self.total_count,
            rows: self.rows.into_iter().map(change).collect(),
        }
    }
}

/// One list: `SELECT {select} FROM {from} WHERE {filter} ORDER BY {order}`, `select` being one jsonb expression.
///
/// The page is found by its keys first, so that a page far down scans an index and not the rows before it.
pub(crate) struct List<'a> {
    pub(crate) select: &'a str,
    pub(crate) from: &'a str,
    /// Tables the filter and order need: `from` without the joins that only add columns.
    pub(crate) narrow: &'a str,
    /// The columns that identify a row of `narrow`.
    pub(crate) key: &'a str,
    pub(crate) order: &'a str,
}

impl List<'_> {
    /// The page and the count. `filter` writes the condition and is called twice.
    pub(crate) async fn page<T: DeserializeOwned>(
        &self,
        pool: &PgPool,
        page: Page,
        filter: impl Fn(&mut QueryBuilder<'_, Postgres>),
    ) -> Result<ListPage<T>, ReadError> {
        let mut count = QueryBuilder::new(format!("SELECT count(*) FROM {} WHERE ", self.narrow));
        filter(&mut count);
        let total_count = count.build_query_scalar().fetch_one(pool).await?;
        Ok(ListPage {
            total_count,
            rows: self.rows(pool, page, filter).await?,
        })
    }

    /// The page without the count, where that is known.
    pub(crate) async fn rows<T: DeserializeOwned>(
        &self,
        pool: &PgPool,
        page: Page,
        filter: impl Fn(&mut QueryBuilder<'_, Postgres>),
    ) -> Result<Vec<T>, ReadError> {
        let Self {
            select,
            from,
            narrow,
            key,
            order,
        } = self;
        let mut query = QueryBuilder::new(format!(
            "SELECT {select} FROM {from} WHERE ({key}) IN (SELECT {key} FROM {narrow} WHERE "
        ));
        filter(&mut query);
        query
            .push(format!(" ORDER BY {order} LIMIT "))
            .push_bind(page.limit)
            .push(" OFFSET ")
            .push_bind(page.skip)
            .push(format!(") ORDER BY {order}"));
        let rows: Vec<Value> = query.build_query_scalar().fetch_all(pool).await?;
        typed(rows)
    }
}

/// Deserializes JSON rows.
pub(crate) fn typed<T: DeserializeOwned>(rows: Vec<Value>) -> Result<Vec<T>, ReadError> {
    rows.into_iter()
        .map(|row| serde_json::from_value(row).map_err(ReadError::from))
        .collect()
}
