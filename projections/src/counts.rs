//! Row counts of a read model by kind, stored in a table of their own: counting a million rows takes longer than reading a page of twenty.
//!
//! A read model `x` that keeps counts has a table `p_x_v1_counts (kind text PRIMARY KEY, live bigint NOT NULL)`.

use std::collections::BTreeMap;

use sqlx::{PgConnection, PgPool};

use crate::error::ReadError;

/// Rows by kind, or the change in the number of rows of each kind.
pub(crate) type Counts = BTreeMap<String, i64>;

/// Counts the rows of each kind that are not removed.
pub(crate) fn of<'a>(rows: impl Iterator<Item = (&'a str, bool)>) -> Counts {
    let mut counts = Counts::new();
    for (kind, removed) in rows {
        *counts.entry(kind.to_owned()).or_default() += i64::from(!removed);
    }
    counts
}

/// Updates `table` with the difference between `before` and the counts after the batch.
pub(crate) async fn keep(
    connection: &mut PgConnection,
    table: &str,
    before: &Counts,
    mut after: Counts,
) -> Result<(), ReadError> {
    for (kind, rows) in before {
        *after.entry(kind.clone()).or_default() -= rows;
    }
    let (kinds, more): (Vec<String>, Vec<i64>) = after.into_iter().unzip();
    let sql = format!(
        "INSERT INTO {table} AS c (kind, live) SELECT * FROM unnest($1::text[], $2::bigint[]) \
         ON CONFLICT (kind) DO UPDATE SET live = c.live + excluded.live"
    );
    sqlx::query(&sql)
        .bind(kinds)
        .bind(more)
        .execute(connection)
        .await?;
    Ok(())
}

/// Row counts of the read model by kind.
pub(crate) async fn all(pool: &PgPool, model: &str) -> Result<Counts, ReadError> {
    let sql = format!("SELECT kind, live FROM {model}_counts");
    let rows: Vec<(String, i64)> = sqlx::query_as(&sql).fetch_all(pool).await?;
    Ok(rows.into_iter().collect())
}

/// Number of rows of `kind` in the read model.
pub(crate) async fn live(pool: &PgPool, model: &str, kind: &str) -> Result<i64, ReadError> {
    let sql = format!("SELECT live FROM {model}_counts WHERE kind = $1");
    let live: Option<i64> = sqlx::query_scalar(&sql)
        .bind(kind)
        .fetch_optional(pool)
        .await?;
    Ok(live.unwrap_or(0))
}
