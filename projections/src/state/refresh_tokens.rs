//! Refresh tokens, kept by hash. Each use makes the next one of its family; an old one used again ends the whole family,
//! because then somebody has a copy.

use domain::ids::MemberId;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;

/// What became of a refresh token that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotated {
    /// It was good, and the new one takes its place.
    Renewed {
        /// Whose.
        member: MemberId,
        /// Its family.
        family: Uuid,
    },
    /// It had been used before: its family is over.
    Reused,
    /// Its time is over.
    Expired,
    /// Its family was ended (log-out, password change, reuse).
    Revoked,
    /// Nobody issued it.
    Unknown,
}

/// Keeps the first token of a new family.
///
/// # Errors
/// [`ReadError`].
pub async fn issue(
    pool: &PgPool,
    member: MemberId,
    family: Uuid,
    hash: &[u8],
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO refresh_tokens (hash, family, member, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(hash)
    .bind(family)
    .bind(member.0)
    .bind(now)
    .bind(expires_at)
    .execute(pool)
    .await?;
    Ok(())
}

/// Takes a token and puts the next one in its place, in one transaction. Of two that come at once with the same token one is
/// renewed and the other is a reuse.
///
/// # Errors
/// [`ReadError`].
pub async fn rotate(
    pool: &PgPool,
    hash: &[u8],
    next_hash: &[u8],
    now: OffsetDateTime,
    next_expires_at: OffsetDateTime,
) -> Result<Rotated, ReadError> {
    let mut transaction = pool.begin().await?;
    let found: Option<Shown> = sqlx::query_as(
        "SELECT family, member, expires_at, used_at, revoked_at FROM refresh_tokens WHERE hash = $1 FOR UPDATE",
    )
    .bind(hash)
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(shown) = found else {
        return Ok(Rotated::Unknown);
    };
    let answer = if shown.revoked_at.is_some() {
        Rotated::Revoked
    } else if shown.used_at.is_some() {
        sqlx::query(
            "UPDATE refresh_tokens SET revoked_at = $2 WHERE family = $1 AND revoked_at IS NULL",
        )
        .bind(shown.family)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        Rotated::Reused
    } else if shown.expires_at <= now {
        Rotated::Expired
    } else {
        sqlx::query("UPDATE refresh_tokens SET used_at = $2 WHERE hash = $1")
            .bind(hash)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO refresh_tokens (hash, family, member, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(next_hash)
        .bind(shown.family)
        .bind(shown.member)
        .bind(now)
        .bind(next_expires_at)
        .execute(&mut *transaction)
        .await?;
        Rotated::Renewed {
            member: MemberId(shown.member),
            family: shown.family,
        }
    };
    transaction.commit().await?;
    Ok(answer)
}

#[derive(sqlx::FromRow)]
struct Shown {
    family: Uuid,
    member: Uuid,
    expires_at: OffsetDateTime,
    used_at: Option<OffsetDateTime>,
    revoked_at: Option<OffsetDateTime>,
}

/// Ends the family of a token (log-out). An unknown token is no error.
///
/// # Errors
/// [`ReadError`].
pub async fn revoke(pool: &PgPool, hash: &[u8], now: OffsetDateTime) -> Result<(), ReadError> {
    sqlx::query(
        "UPDATE refresh_tokens SET revoked_at = $2 \
         WHERE revoked_at IS NULL AND family = (SELECT family FROM refresh_tokens WHERE hash = $1)",
    )
    .bind(hash)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// Ends all families of a member (password change, leaving).
///
/// # Errors
/// [`ReadError`].
pub async fn revoke_all(
    pool: &PgPool,
    member: MemberId,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "UPDATE refresh_tokens SET revoked_at = $2 WHERE member = $1 AND revoked_at IS NULL",
    )
    .bind(member.0)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// Throws away what expired before `before`; how many.
///
/// # Errors
/// [`ReadError`].
pub async fn sweep(pool: &PgPool, before: OffsetDateTime) -> Result<u64, ReadError> {
    Ok(
        sqlx::query("DELETE FROM refresh_tokens WHERE expires_at < $1")
            .bind(before)
            .execute(pool)
            .await?
            .rows_affected(),
    )
}
