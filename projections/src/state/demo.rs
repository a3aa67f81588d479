//! Whether this shop is a demonstration, whose sign-in page lists accounts to try.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;

/// State of the demonstration data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demonstration {
    /// No demonstration.
    None,
    /// Being generated, or interrupted.
    Begun,
    /// Complete.
    Finished,
}

/// Marks the demonstration as begun.
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

/// Marks the demonstration as complete.
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

/// The state of the demonstration.
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

/// Whether the shop is a complete demonstration.
///
/// # Errors
/// [`ReadError`].
pub async fn is_one(pool: &PgPool) -> Result<bool, ReadError> {
    Ok(state(pool).await? == Demonstration::Finished)
}
