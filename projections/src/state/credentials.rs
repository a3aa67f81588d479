//! How members sign in: a keyed hash of the name, an argon2 hash of the password, and how often it failed.

use domain::ids::MemberId;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;

/// Failures in a row that lock a name.
pub const FAILURES: i32 = 5;
/// For how long.
pub const LOCK: Duration = Duration::minutes(1);

/// What signing in needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// Who.
    pub member: MemberId,
    /// The password's argon2 hash, PHC string.
    pub argon2: String,
    /// Until when nobody may try; none: anybody may.
    pub locked_until: Option<OffsetDateTime>,
}

impl Credential {
    /// Whether trying is refused at `now`.
    pub fn is_locked(&self, now: OffsetDateTime) -> bool {
        self.locked_until.is_some_and(|until| now < until)
    }
}

/// Keeps a member's credential, replacing the one they had (another name or password).
///
/// # Errors
/// [`ReadError`]; the name of another member is a unique violation (the log's reservation refuses it before).
pub async fn save(
    pool: &PgPool,
    member: MemberId,
    username_hash: &[u8],
    argon2: &str,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO credentials (username_hash, member, argon2, updated_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (member) DO UPDATE SET username_hash = excluded.username_hash, argon2 = excluded.argon2, \
             failures = 0, locked_until = NULL, updated_at = excluded.updated_at",
    )
    .bind(username_hash)
    .bind(member.0)
    .bind(argon2)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// The credential of a name.
///
/// # Errors
/// [`ReadError`].
pub async fn find(pool: &PgPool, username_hash: &[u8]) -> Result<Option<Credential>, ReadError> {
    let row: Option<(Uuid, String, Option<OffsetDateTime>)> = sqlx::query_as(
        "SELECT member, argon2, locked_until FROM credentials WHERE username_hash = $1",
    )
    .bind(username_hash)
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|(member, argon2, locked_until)| Credential {
        member: MemberId(member),
        argon2,
        locked_until,
    }))
}

/// A wrong password at `now`. The fifth in a row locks the name for a minute and starts the count again.
///
/// # Errors
/// [`ReadError`].
pub async fn failed(
    pool: &PgPool,
    username_hash: &[u8],
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "UPDATE credentials SET failures = (failures + 1) % $2, \
             locked_until = CASE WHEN failures + 1 >= $2 THEN $3 ELSE locked_until END \
         WHERE username_hash = $1",
    )
    .bind(username_hash)
    .bind(FAILURES)
    .bind(now + LOCK)
    .execute(pool)
    .await?;
    Ok(())
}

/// A right password: failures are forgotten.
///
/// # Errors
/// [`ReadError`].
pub async fn succeeded(pool: &PgPool, username_hash: &[u8]) -> Result<(), ReadError> {
    sqlx::query(
        "UPDATE credentials SET failures = 0, locked_until = NULL \
         WHERE username_hash = $1 AND (failures > 0 OR locked_until IS NOT NULL)",
    )
    .bind(username_hash)
    .execute(pool)
    .await?;
    Ok(())
}

/// The member can no longer sign in.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, member: MemberId) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM credentials WHERE member = $1")
        .bind(member.0)
        .execute(pool)
        .await?;
    Ok(())
}
