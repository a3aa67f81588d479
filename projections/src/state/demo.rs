//! Whether this shop is a demonstration: then its door shows accounts to try it with.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;

/// From now on it is one.
///
/// # Errors
/// [`ReadError`].
pub async fn begin(pool: &PgPool, at: OffsetDateTime) -> Result<(), ReadError> {
    sqlx::query("INSERT INTO demonstration (begun_at) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(at)
        .execute(pool)
        .await?;
    Ok(())
}

/// Whether it is one.
///
/// # Errors
/// [`ReadError`].
pub async fn is_one(pool: &PgPool) -> Result<bool, ReadError> {
    Ok(
        sqlx::query_scalar("SELECT EXISTS (SELECT FROM demonstration)")
            .fetch_one(pool)
            .await?,
    )
}
