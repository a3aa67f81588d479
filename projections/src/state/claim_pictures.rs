//! Sealed pictures of the goods of returns and exchanges; deleted after a while if no claim has them. Which claim has one is decided in the
//! log; this table follows it.

use domain::ids::{ClaimPictureId, MemberId, OrderId};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;

/// A picture to store.
#[derive(Clone, Debug)]
pub struct NewPicture {
    /// The picture.
    pub id: ClaimPictureId,
    /// The order whose goods it shows.
    pub order: OrderId,
    /// Its content, sealed.
    pub sealed: Value,
    /// Size in bytes.
    pub size: i64,
    /// When it was uploaded.
    pub uploaded_at: OffsetDateTime,
}

/// Stores a picture, unless the order has `most` unclaimed ones; false then.
///
/// # Errors
/// [`ReadError`].
pub async fn keep(pool: &PgPool, picture: &NewPicture, most: i64) -> Result<bool, ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    // Concurrent uploads must not both take the last slot.
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(format!("claim pictures of:{}", picture.order))
        .execute(&mut *transaction)
        .await?;
    let kept = sqlx::query(
        "INSERT INTO claim_pictures (id, order_id, sealed, size, uploaded_at) SELECT $1, $2, $3, $4, $5 \
         WHERE (SELECT count(*) FROM claim_pictures WHERE order_id = $2 AND NOT claimed) < $6",
    )
    .bind(picture.id.0)
    .bind(picture.order.0)
    .bind(&picture.sealed)
    .bind(picture.size)
    .bind(picture.uploaded_at)
    .bind(most)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(kept.rows_affected() > 0)
}

/// Number of these pictures that were uploaded for the order after a moment.
///
/// # Errors
/// [`ReadError`].
pub async fn count(
    pool: &PgPool,
    order: OrderId,
    pictures: &[ClaimPictureId],
    since: OffsetDateTime,
) -> Result<i64, ReadError> {
    let found = "SELECT count(*) FROM claim_pictures WHERE order_id = $1 AND id = ANY($2) AND uploaded_at > $3";
    Ok(sqlx::query_scalar(found)
        .bind(order.0)
        .bind(ids(pictures))
        .bind(since)
        .fetch_one(pool)
        .await?)
}

/// The sealed content of a picture of an order.
///
/// # Errors
/// [`ReadError`].
pub async fn find(
    pool: &PgPool,
    order: OrderId,
    picture: ClaimPictureId,
) -> Result<Option<Value>, ReadError> {
    let found = "SELECT sealed FROM claim_pictures WHERE order_id = $1 AND id = $2";
    Ok(sqlx::query_scalar(found)
        .bind(order.0)
        .bind(picture.0)
        .fetch_optional(pool)
        .await?)
}

/// Marks pictures as claimed.
///
/// # Errors
/// [`ReadError`].
pub async fn claim(pool: &PgPool, pictures: &[ClaimPictureId]) -> Result<(), ReadError> {
    sqlx::query("UPDATE claim_pictures SET claimed = true WHERE id = ANY($1)")
        .bind(ids(pictures))
        .execute(pool)
        .await?;
    Ok(())
}

/// Pictures uploaded before a moment that are not claimed, with their orders.
///
/// # Errors
/// [`ReadError`].
pub async fn unclaimed(
    pool: &PgPool,
    before: OffsetDateTime,
) -> Result<Vec<(ClaimPictureId, OrderId)>, ReadError> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "SELECT id, order_id FROM claim_pictures WHERE NOT claimed AND uploaded_at < $1 ORDER BY uploaded_at",
    )
    .bind(before)
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|(picture, order)| (ClaimPictureId(picture), OrderId(order)))
        .collect())
}

/// Deletes an unclaimed picture.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, picture: ClaimPictureId) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM claim_pictures WHERE id = $1 AND NOT claimed")
        .bind(picture.0)
        .execute(pool)
        .await?;
    Ok(())
}

/// Deletes the pictures of a member's orders.
///
/// # Errors
/// [`ReadError`].
pub async fn forget(pool: &PgPool, member: MemberId) -> Result<(), ReadError> {
    sqlx::query(
        "DELETE FROM claim_pictures c USING orders o WHERE o.id = c.order_id AND o.buyer = $1",
    )
    .bind(member.0)
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes the pictures of an order.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_order(pool: &PgPool, order: OrderId) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM claim_pictures WHERE order_id = $1")
        .bind(order.0)
        .execute(pool)
        .await?;
    Ok(())
}

fn ids(pictures: &[ClaimPictureId]) -> Vec<Uuid> {
    pictures.iter().map(|picture| picture.0).collect()
}
