//! Keyed hashes of the names and phones on an order, so that staff find it by an exact value.
//!
//! The log holds them only sealed. The use case that places an order writes the hashes; losing them only breaks this search.

use domain::ids::{MemberId, OrderId};
use sqlx::PgPool;
use uuid::Uuid;

use crate::error::ReadError;

/// Adds the hashes of an order; existing ones stay.
///
/// # Errors
/// [`ReadError`].
pub async fn remember(pool: &PgPool, order: OrderId, hashes: &[Vec<u8>]) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO order_contacts (order_id, hash) SELECT DISTINCT $1::uuid, hash FROM unnest($2::bytea[]) AS h(hash) \
         ON CONFLICT DO NOTHING",
    )
    .bind(order.0)
    .bind(hashes)
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes the hashes of all orders of a member.
///
/// # Errors
/// [`ReadError`].
pub async fn forget(pool: &PgPool, member: MemberId) -> Result<(), ReadError> {
    sqlx::query(
        "DELETE FROM order_contacts c USING orders o WHERE o.id = c.order_id AND o.buyer = $1",
    )
    .bind(member.0)
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes the hashes of an order.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_order(pool: &PgPool, order: OrderId) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM order_contacts WHERE order_id = $1")
        .bind(order.0)
        .execute(pool)
        .await?;
    Ok(())
}

/// The orders with any of these hashes.
///
/// # Errors
/// [`ReadError`].
pub async fn find(pool: &PgPool, hashes: &[Vec<u8>]) -> Result<Vec<OrderId>, ReadError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT DISTINCT order_id FROM order_contacts WHERE hash = ANY($1) ORDER BY order_id",
    )
    .bind(hashes)
    .fetch_all(pool)
    .await?;
    Ok(ids.into_iter().map(OrderId).collect())
}
