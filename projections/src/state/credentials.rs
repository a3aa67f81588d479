//! Credentials: password hashes by the keyed hash of the username, and refresh tokens by their hash.

use domain::ids::MemberId;
use sqlx::{PgConnection, PgPool};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Credentials of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The member.
    pub member: MemberId,
    /// The password's hash, a PHC string.
    pub argon2: String,
}

type Row = (Uuid, String);

impl From<Row> for Credentials {
    fn from((member, argon2): Row) -> Self {
        Self {
            member: MemberId(member),
            argon2,
        }
    }
}

/// Stores a new member's credentials, unless they exist already.
///
/// # Errors
/// The database's.
pub async fn keep(
    pool: &PgPool,
    username_hash: &[u8; 32],
    member: MemberId,
    argon2: &str,
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO credentials (username_hash, member, argon2, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
    )
    .bind(username_hash.as_slice())
    .bind(member.0)
    .bind(argon2)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// The credentials of a username.
///
/// # Errors
/// The database's.
pub async fn find(
    pool: &PgPool,
    username_hash: &[u8; 32],
) -> Result<Option<Credentials>, sqlx::Error> {
    let row: Option<Row> =
        sqlx::query_as("SELECT member, argon2 FROM credentials WHERE username_hash = $1")
            .bind(username_hash.as_slice())
            .fetch_optional(pool)
            .await?;
    Ok(row.map(Credentials::from))
}

/// The credentials of a member.
///
/// # Errors
/// The database's.
pub async fn find_of(pool: &PgPool, member: MemberId) -> Result<Option<Credentials>, sqlx::Error> {
    let row: Option<Row> =
        sqlx::query_as("SELECT member, argon2 FROM credentials WHERE member = $1")
            .bind(member.0)
            .fetch_optional(pool)
            .await?;
    Ok(row.map(Credentials::from))
}

/// Whether these credentials are current; if so, locks them until the transaction ends. The password itself is verified before, without a
/// lock.
///
/// # Errors
/// The database's.
pub async fn still(tx: &mut PgConnection, credentials: &Credentials) -> Result<bool, sqlx::Error> {
    let now: Option<String> =
        sqlx::query_scalar("SELECT argon2 FROM credentials WHERE member = $1 FOR UPDATE")
            .bind(credentials.member.0)
            .fetch_optional(tx)
            .await?;
    Ok(now.as_ref() == Some(&credentials.argon2))
}

/// Replaces the password, which ends every session and every known device.
///
/// # Errors
/// The database's.
pub async fn change_password(
    tx: &mut PgConnection,
    member: MemberId,
    argon2: &str,
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE credentials SET argon2 = $2, failures = 0, locked_until = NULL, updated_at = $3 WHERE member = $1",
    )
    .bind(member.0)
    .bind(argon2)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query("DELETE FROM known_devices WHERE member = $1")
        .bind(member.0)
        .execute(&mut *tx)
        .await?;
    sign_out_everywhere(tx, member, now).await
}

/// A refresh token to store.
#[derive(Clone, Copy, Debug)]
pub struct NewToken<'a> {
    /// SHA-256 of the token.
    pub hash: &'a [u8; 32],
    /// When it was issued.
    pub issued_at: OffsetDateTime,
    /// When it expires.
    pub expires_at: OffsetDateTime,
}

/// Stores the first token of a sign-in and returns its family. Runs in the transaction that locks the credentials, so that a concurrent
/// password change ends this session too.
///
/// # Errors
/// The database's.
pub async fn begin_family(
    connection: &mut PgConnection,
    member: MemberId,
    token: NewToken<'_>,
) -> Result<Uuid, sqlx::Error> {
    let family = Uuid::now_v7();
    insert(connection, family, member.0, token).await?;
    Ok(family)
}

async fn insert(
    connection: &mut PgConnection,
    family: Uuid,
    member: Uuid,
    token: NewToken<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO refresh_tokens (hash, family, member, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(token.hash.as_slice())
        .bind(family)
        .bind(member)
        .bind(token.issued_at)
        .bind(token.expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// How long a used token is answered with the same successor: several tabs may refresh at once, or the response may be lost.
const SAME_SUCCESSOR: Duration = Duration::seconds(10);

/// Result of using a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Replaced by its successor, in the same family.
    Rotated(MemberId, Uuid),
    /// It was used before: its whole family is revoked.
    Reused(MemberId),
    /// Expired.
    Expired,
    /// Unknown, or signed out.
    Unknown,
}

/// The member and the family of a token.
async fn whose(
    tx: &mut PgConnection,
    hash: &[u8; 32],
) -> Result<Option<(Uuid, Uuid)>, sqlx::Error> {
    sqlx::query_as("SELECT member, family FROM refresh_tokens WHERE hash = $1")
        .bind(hash.as_slice())
        .fetch_optional(tx)
        .await
}

/// Serializes changes to this member's tokens. Row locks are not enough: rows written while waiting are not among them, so ending all
/// sessions could miss the newest, and two transactions could deadlock.
async fn alone(tx: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('sign-ins:' || $1::text, 0))")
        .bind(member)
        .execute(tx)
        .await?;
    Ok(())
}

/// Uses a refresh token and replaces it by `successor`, which is always the same for one token. Repeated within ten seconds it returns the
/// same result, unless the successor was used or revoked since; any other reuse revokes the family.
///
/// Uses by one member are serialized, so a thief and the owner cannot both succeed.
///
/// # Errors
/// The database's.
pub async fn rotate(
    tx: &mut PgConnection,
    hash: &[u8; 32],
    successor: NewToken<'_>,
) -> Result<Rotation, sqlx::Error> {
    let Some((member, family)) = whose(tx, hash).await? else {
        return Ok(Rotation::Unknown);
    };
    alone(tx, member).await?;
    // Read under the lock: its previous holder may have used the token, or removed the member.
    let token: Option<(Option<OffsetDateTime>, bool, OffsetDateTime)> = sqlx::query_as(
        "SELECT used_at, revoked_at IS NOT NULL, expires_at FROM refresh_tokens WHERE hash = $1",
    )
    .bind(hash.as_slice())
    .fetch_optional(&mut *tx)
    .await?;
    let Some((used_at, revoked, expires_at)) = token else {
        return Ok(Rotation::Unknown);
    };
    let now = successor.issued_at;
    if revoked {
        revoke_family(tx, family, now).await?;
        return Ok(Rotation::Unknown);
    }
    if let Some(used_at) = used_at {
        if now <= used_at + SAME_SUCCESSOR && is_unused(tx, family, successor.hash).await? {
            return Ok(Rotation::Rotated(MemberId(member), family));
        }
        revoke_family(tx, family, now).await?;
        return Ok(Rotation::Reused(MemberId(member)));
    }
    if expires_at <= now {
        return Ok(Rotation::Expired);
    }
    sqlx::query("UPDATE refresh_tokens SET used_at = $2 WHERE hash = $1")
        .bind(hash.as_slice())
        .bind(now)
        .execute(&mut *tx)
        .await?;
    insert(tx, family, member, successor).await?;
    Ok(Rotation::Rotated(MemberId(member), family))
}

async fn is_unused(
    tx: &mut PgConnection,
    family: Uuid,
    hash: &[u8; 32],
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM refresh_tokens \
         WHERE hash = $1 AND family = $2 AND used_at IS NULL AND revoked_at IS NULL)",
    )
    .bind(hash.as_slice())
    .bind(family)
    .fetch_one(tx)
    .await
}

async fn revoke_family(
    tx: &mut PgConnection,
    family: Uuid,
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE refresh_tokens SET revoked_at = $2 WHERE family = $1 AND revoked_at IS NULL",
    )
    .bind(family)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "INSERT INTO revoked_families (family, revoked_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    )
    .bind(family)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends the session a token belongs to; false if there is none.
///
/// # Errors
/// The database's.
pub async fn sign_out(
    pool: &PgPool,
    hash: &[u8; 32],
    now: OffsetDateTime,
) -> Result<bool, sqlx::Error> {
    let mut tx = event_store::begin(pool).await?;
    let Some((member, family)) = whose(&mut tx, hash).await? else {
        return Ok(false);
    };
    alone(&mut tx, member).await?;
    revoke_family(&mut tx, family, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// Ends every session of a member.
///
/// # Errors
/// The database's.
pub async fn sign_out_everywhere(
    tx: &mut PgConnection,
    member: MemberId,
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    alone(tx, member.0).await?;
    sqlx::query(
        "WITH revoked AS (
             UPDATE refresh_tokens SET revoked_at = $2 WHERE member = $1 AND revoked_at IS NULL RETURNING family
         )
         INSERT INTO revoked_families (family, revoked_at) SELECT DISTINCT family, $2::timestamptz FROM revoked
         ON CONFLICT DO NOTHING",
    )
    .bind(member.0)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// The sessions that ended after `after`: their families, and when they ended.
///
/// # Errors
/// The database's.
pub async fn revoked_since(
    pool: &PgPool,
    after: OffsetDateTime,
) -> Result<Vec<(Uuid, OffsetDateTime)>, sqlx::Error> {
    sqlx::query_as("SELECT family, revoked_at FROM revoked_families WHERE revoked_at > $1")
        .bind(after)
        .fetch_all(pool)
        .await
}

/// Deletes sessions that ended before `before`; returns how many.
///
/// # Errors
/// The database's.
pub async fn forget_revoked(pool: &PgPool, before: OffsetDateTime) -> Result<u64, sqlx::Error> {
    let done = sqlx::query("DELETE FROM revoked_families WHERE revoked_at < $1")
        .bind(before)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}

/// Deletes tokens that expired before `before`; returns how many. Until then, a stolen one is still recognised.
///
/// # Errors
/// The database's.
pub async fn forget_expired(pool: &PgPool, before: OffsetDateTime) -> Result<u64, sqlx::Error> {
    let done = sqlx::query("DELETE FROM refresh_tokens WHERE expires_at < $1")
        .bind(before)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}
