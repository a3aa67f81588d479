//! Delivery addresses of members, each sealed with the member's profile key.

use domain::Sealed;
use domain::ids::MemberId;
use domain::personal::Party;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// Maximum number of destinations of a member.
pub const MOST: i64 = 50;

/// One destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// The destination.
    pub id: Uuid,
    /// Owner.
    pub member: MemberId,
    /// The address, with the member's name for it as its title; `api` decrypts it.
    pub party: Sealed<Party>,
    /// Preselected in the order form.
    pub is_default: bool,
    /// When it was created.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
}

/// A member's destinations, the default first, then oldest first.
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

/// Serializes changes to a member's destinations: of two that become the default at once exactly one must remain and neither call may fail,
/// and concurrent calls must not exceed the limit.
async fn alone(connection: &mut PgConnection, member: MemberId) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('destinations:' || $1::text, 0))")
        .bind(member.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// A member has at most one default: setting it clears the previous one.
async fn step_down(connection: &mut PgConnection, member: MemberId) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE destinations SET is_default = false WHERE member = $1 AND is_default")
        .bind(member.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores a new destination and returns whether it is the default: on request, or if it is the first. None if the member already has
/// [`MOST`].
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

/// Changes a destination and returns whether it is the default, which it stays until another becomes it. None if it is not the member's.
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

/// Removes a destination; if it was the default, the oldest of the others becomes it. False if it is not the member's.
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
