//! Where members have things sent. Each address is sealed with the member's profile key.

use domain::Sealed;
use domain::ids::MemberId;
use domain::personal::Party;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// Destinations one member may keep.
pub const MOST: i64 = 50;

/// One destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// The destination.
    pub id: Uuid,
    /// Whose.
    pub member: MemberId,
    /// The address, with the name the member gave it as its title; `api` opens it.
    pub party: Sealed<Party>,
    /// The one an order form starts with.
    pub is_default: bool,
    /// When it was made.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
}

/// A member's destinations, the default one first, then the oldest.
///
/// # Errors
/// [`ReadError`].
pub async fn list(pool: &PgPool, member: MemberId) -> Result<Vec<Destination>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(d) FROM destinations d WHERE member = $1 ORDER BY is_default DESC, created_at, id",
        )
        .bind(member.0)
        .fetch_all(pool)
        .await?,
    )
}

/// One destination of the member; none if it is not theirs.
///
/// # Errors
/// [`ReadError`].
pub async fn find(
    pool: &PgPool,
    member: MemberId,
    id: Uuid,
) -> Result<Option<Destination>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(d) FROM destinations d WHERE member = $1 AND id = $2")
            .bind(member.0)
            .bind(id)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}

/// One at a time changes a member's destinations: two that become the default at once must not both succeed, and neither
/// fail; and nobody gets past the limit by asking twice at once.
async fn alone(connection: &mut PgConnection, member: MemberId) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('destinations:' || $1::text, 0))")
        .bind(member.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// One member's default is one at most: whoever becomes it takes it from the other.
async fn step_down(connection: &mut PgConnection, member: MemberId) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE destinations SET is_default = false WHERE member = $1 AND is_default")
        .bind(member.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Keeps a new destination and answers whether it is the default: if it is asked to be, or is the first. None if the member
/// has [`MOST`] already.
///
/// # Errors
/// [`ReadError`].
pub async fn add(
    pool: &PgPool,
    member: MemberId,
    id: Uuid,
    party: &Sealed<Party>,
    is_default: bool,
    now: OffsetDateTime,
) -> Result<Option<bool>, ReadError> {
    let party = serde_json::to_value(party)?;
    let mut transaction = event_store::begin(pool).await?;
    alone(&mut transaction, member).await?;
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM destinations WHERE member = $1")
        .bind(member.0)
        .fetch_one(&mut *transaction)
        .await?;
    if kept >= MOST {
        return Ok(None);
    }
    let is_default = is_default || kept == 0;
    if is_default {
        step_down(&mut transaction, member).await?;
    }
    sqlx::query(
        "INSERT INTO destinations (id, member, party, is_default, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind(id)
    .bind(member.0)
    .bind(party)
    .bind(is_default)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Some(is_default))
}

/// Changes a destination and answers whether it is the default, which it stays until another becomes it. None if it is not the
/// member's.
///
/// # Errors
/// [`ReadError`].
pub async fn change(
    pool: &PgPool,
    member: MemberId,
    id: Uuid,
    party: &Sealed<Party>,
    is_default: bool,
    now: OffsetDateTime,
) -> Result<Option<bool>, ReadError> {
    let party = serde_json::to_value(party)?;
    let mut transaction = event_store::begin(pool).await?;
    alone(&mut transaction, member).await?;
    if is_default {
        step_down(&mut transaction, member).await?;
    }
    let changed: Option<bool> = sqlx::query_scalar(
        "UPDATE destinations SET party = $3, is_default = is_default OR $4, updated_at = $5 \
         WHERE member = $1 AND id = $2 RETURNING is_default",
    )
    .bind(member.0)
    .bind(id)
    .bind(party)
    .bind(is_default)
    .bind(now)
    .fetch_optional(&mut *transaction)
    .await?;
    if changed.is_some() {
        transaction.commit().await?;
    }
    Ok(changed)
}

/// Removes a destination; after the default the oldest of the others becomes it. False if it is not the member's.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, member: MemberId, id: Uuid) -> Result<bool, ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    alone(&mut transaction, member).await?;
    let was_default: Option<bool> = sqlx::query_scalar(
        "DELETE FROM destinations WHERE member = $1 AND id = $2 RETURNING is_default",
    )
    .bind(member.0)
    .bind(id)
    .fetch_optional(&mut *transaction)
    .await?;
    if was_default == Some(true) {
        sqlx::query(
            "UPDATE destinations SET is_default = true \
             WHERE id = (SELECT id FROM destinations WHERE member = $1 ORDER BY created_at, id LIMIT 1)",
        )
        .bind(member.0)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await?;
    Ok(was_default.is_some())
}
