//! Queries of the log inside a caller's transaction, for readers that compare it with their own tables in one snapshot.

use sqlx::PgConnection;

use crate::error::StoreError;

/// The last position drawn, committed or not; 0 before the first.
///
/// # Errors
/// Database errors.
pub async fn drawn_position(connection: &mut PgConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(
        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM events_global_position_seq",
    )
    .fetch_one(connection)
    .await?)
}

/// The position of the newest event; 0 if there is none.
///
/// # Errors
/// Database errors.
pub async fn newest_position(connection: &mut PgConnection) -> Result<i64, StoreError> {
    let newest: Option<i64> = sqlx::query_scalar("SELECT max(global_position) FROM events")
        .fetch_one(connection)
        .await?;
    Ok(newest.unwrap_or_default())
}

/// The positions of all events after one, in no order.
///
/// # Errors
/// Database errors.
pub async fn positions_after(
    connection: &mut PgConnection,
    after: i64,
) -> Result<Vec<i64>, StoreError> {
    Ok(
        sqlx::query_scalar("SELECT global_position FROM events WHERE global_position > $1")
            .bind(after)
            .fetch_all(connection)
            .await?,
    )
}

/// The first position of the earliest append with events both up to and after `position`; none if no append spans it.
///
/// # Errors
/// Database errors.
pub async fn append_across(
    connection: &mut PgConnection,
    position: i64,
) -> Result<Option<i64>, StoreError> {
    // The events of one append share their metadata, even in a restored log, where all have one transaction id.
    Ok(sqlx::query_scalar(
        "SELECT min(f.global_position) FROM events f JOIN events l USING (correlation_id)
         WHERE f.global_position <= $1 AND l.global_position > $1 AND f.metadata::text = l.metadata::text",
    )
    .bind(position)
    .fetch_one(connection)
    .await?)
}
