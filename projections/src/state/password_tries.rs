//! Failed attempts in a row to guess a password or a coupon code, counted by keyed hashes, and the devices that signed in before.
//!
//! An attempt at a password is counted before it is verified, so parallel guesses all count without holding a lock.

use domain::ids::MemberId;
use sqlx::{PgConnection, PgPool};
use time::{Duration, OffsetDateTime};

/// Failed attempts in a row before sign-in is blocked.
const TRIES_MOST: i32 = 5;
/// Duration of the block.
const CLOSED_FOR: Duration = Duration::minutes(1);
/// How long an unchanged count is kept.
const COUNT_LIFE: Duration = Duration::days(1);
/// How long a device is remembered without a sign-in.
pub const DEVICE_LIFE: Duration = Duration::days(400);

/// Whether an attempt is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Try {
    /// Allowed, and counted by [`count`]. If the password is right, [`forget`] the count.
    Counted,
    /// Blocked until then.
    Closed(OffsetDateTime),
}

/// Counts an attempt for the hashed subject. The fifth in a row blocks for a minute; after that counting restarts.
///
/// # Errors
/// The database's.
pub async fn count(
    pool: &PgPool,
    counted: &[u8; 32],
    now: OffsetDateTime,
) -> Result<Try, sqlx::Error> {
    count_up_to(pool, counted, TRIES_MOST, now).await
}

/// As [`count`], but the attempt number `most` blocks.
///
/// # Errors
/// The database's.
pub async fn count_up_to(
    pool: &PgPool,
    counted: &[u8; 32],
    most: i32,
    now: OffsetDateTime,
) -> Result<Try, sqlx::Error> {
    let taken: Option<i32> = sqlx::query_scalar(
        "INSERT INTO password_tries AS known (counted, tries, tried_at) VALUES ($1, 1, $2)
         ON CONFLICT (counted) DO UPDATE SET
             tries = CASE WHEN known.closed_until IS NULL THEN known.tries + 1 ELSE 1 END,
             closed_until = CASE WHEN known.closed_until IS NULL AND known.tries + 1 >= $3 THEN $4::timestamptz END,
             tried_at = $2
         WHERE known.closed_until IS NULL OR known.closed_until <= $2
         RETURNING tries",
    )
    .bind(counted.as_slice())
    .bind(now)
    .bind(most)
    .bind(now + CLOSED_FOR)
    .fetch_optional(pool)
    .await?;
    if taken.is_some() {
        return Ok(Try::Counted);
    }
    // a successful sign-in removed the block meanwhile: it ends now
    Ok(Try::Closed(
        closed_until(pool, counted).await?.unwrap_or(now),
    ))
}

/// Whether an attempt is allowed now, without counting one.
///
/// # Errors
/// The database's.
pub async fn state(
    pool: &PgPool,
    counted: &[u8; 32],
    now: OffsetDateTime,
) -> Result<Try, sqlx::Error> {
    let until = closed_until(pool, counted).await?;
    Ok(until
        .filter(|until| *until > now)
        .map_or(Try::Counted, Try::Closed))
}

async fn closed_until(
    pool: &PgPool,
    counted: &[u8; 32],
) -> Result<Option<OffsetDateTime>, sqlx::Error> {
    let until: Option<Option<OffsetDateTime>> =
        sqlx::query_scalar("SELECT closed_until FROM password_tries WHERE counted = $1")
            .bind(counted.as_slice())
            .fetch_optional(pool)
            .await?;
    Ok(until.flatten())
}

/// Deletes a count after a successful sign-in.
///
/// # Errors
/// The database's.
pub async fn forget(pool: &PgPool, counted: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM password_tries WHERE counted = $1")
        .bind(counted.as_slice())
        .execute(pool)
        .await?;
    Ok(())
}

/// Which of these devices signed in to this account before.
///
/// # Errors
/// The database's.
pub async fn known_device(
    pool: &PgPool,
    member: MemberId,
    devices: &[[u8; 32]],
    now: OffsetDateTime,
) -> Result<Option<[u8; 32]>, sqlx::Error> {
    let devices: Vec<&[u8]> = devices.iter().map(<[u8; 32]>::as_slice).collect();
    let known: Option<Vec<u8>> = sqlx::query_scalar(
        "SELECT hash FROM known_devices WHERE member = $1 AND hash = ANY($2) AND seen_at > $3 LIMIT 1",
    )
    .bind(member.0)
    .bind(devices)
    .bind(now - DEVICE_LIFE)
    .fetch_optional(pool)
    .await?;
    Ok(known.and_then(|hash| hash.try_into().ok()))
}

/// Whether any device signed in to this account before, since its devices were last forgotten.
///
/// # Errors
/// The database's.
pub async fn has_devices(
    tx: &mut PgConnection,
    member: MemberId,
    now: OffsetDateTime,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM known_devices WHERE member = $1 AND seen_at > $2)",
    )
    .bind(member.0)
    .bind(now - DEVICE_LIFE)
    .fetch_one(tx)
    .await
}

/// Stores that a device signed in. Runs in the transaction that locks the credentials, so that a concurrent password change removes it too.
///
/// # Errors
/// The database's.
pub async fn remember_device(
    tx: &mut PgConnection,
    member: MemberId,
    device: &[u8; 32],
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO known_devices AS known (hash, member, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO UPDATE SET seen_at = $3 WHERE known.member = $2",
    )
    .bind(device.as_slice())
    .bind(member.0)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes expired counts and devices; returns how many.
///
/// # Errors
/// The database's.
pub async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> Result<u64, sqlx::Error> {
    let counts = sqlx::query("DELETE FROM password_tries WHERE tried_at < $1")
        .bind(now - COUNT_LIFE)
        .execute(pool)
        .await?;
    let devices = sqlx::query("DELETE FROM known_devices WHERE seen_at < $1")
        .bind(now - DEVICE_LIFE)
        .execute(pool)
        .await?;
    Ok(counts.rows_affected() + devices.rows_affected())
}
