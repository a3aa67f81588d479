//! Whether this shop is a demonstration: then its door shows accounts to try it with.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;

/// How far the demonstration of a shop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demonstration {
    /// The shop is none.
    None,
    /// It was begun and is being told, or was cut off.
    Begun,
    /// It is all there.
    Finished,
}

/// From now on it is being told.
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

/// It is all there.
///
/// # Errors
/// [`ReadError`].
pub async fn finish(pool: &PgPool, at: OffsetDateTime) -> Result<(), ReadError> {
    sqlx::query("UPDATE demonstration SET finished_at = $1")
        .bind(at)
        .execute(pool)
        .await?;
    Ok(())
}

/// How far it is.
///
/// # Errors
/// [`ReadError`].
pub async fn state(pool: &PgPool) -> Result<Demonstration, ReadError> {
    let finished: Option<bool> =
        sqlx::query_scalar("SELECT finished_at IS NOT NULL FROM demonstration")
            .fetch_optional(pool)
            .await?;
    Ok(match finished {
        None => Demonstration::None,
        Some(false) => Demonstration::Begun,
        Some(true) => Demonstration::Finished,
    })
}

/// Whether it is one that is all there.
///
/// # Errors
/// [`ReadError`].
pub async fn is_one(pool: &PgPool) -> Result<bool, ReadError> {
    Ok(state(pool).await? == Demonstration::Finished)
}
